/** Values that differ in each run, and what replaces them in an example. */
const PLAIN: [RegExp, string][] = [
  [/\/pictures\/[\w-]+/g, '/pictures/Np5Qr8Sv1Tx7Kq2LmN4pXy9Rs8Tu0Wx2'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzdHVkZW50LTczMSJ9.c2lnbmF0dXJl'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-15T09:00:00.000Z'],
  [/\b20\d\d-\d\d-\d\d\b(?!T)/g, '2026-01-15'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://classroom.example'],
  [/RM_[A-Za-z0-9]{16}/g, 'RM_4tGh7Jk9Lm2Np5Qr'],
  [/vid_[A-Za-z0-9]{20}/g, 'vid_4tGh7Jk9Lm2Np5Qr8Sv1'],
  [/we_[A-Za-z0-9]{20}/g, 'we_8Lm2Np5Qr8Sv1Tg4Jk7x'],
  [/wd_[A-Za-z0-9]{20}/g, 'wd_2Np5Qr8Sv1Tg4Jk7Lm9x'],
  [/whsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [/vc_live_[0-9a-f]{16}_[\w-]{43}/g, 'vc_live_6d1a4f0e9c572a8d_secret'],
  [/vc_live_[0-9a-f]{16}\b/g, 'vc_live_6d1a4f0e9c572a8d'],
  [/org_[A-Za-z0-9]{20}/g, 'org_7Kq2LmN4pXy9Rs8Tu0Wx'],
  [/vfo_[\w-]{32}/g, 'vfo_secret'],
  [/vcd_[\w-]{32}/g, 'vcd_Np5Qr8Sv1Tx7Kq2LmN4pXy9Rs8Tu0Wx2'],
  [/vdc_[\w-]{32}/g, 'vdc_x7Kq2LmN4pXy9Rs8Tu0Wx2Np5Qr8Sv1T'],
  [/cred_[A-Za-z0-9]{20}/g, 'cred_6vJk9Ln3Pq5Rs8Tu0Wx2'],
  [/era_[A-Za-z0-9]{20}/g, 'era_3kLm5Np7Qr9St1Vw4Xy6'],
  [/key_[A-Za-z0-9]{20}/g, 'key_5uHj8Km2Np4Qr7St9Vw1'],
  [/\b[0-9a-f]{64}\b/g, '9c572a8d4e6b1f300b9f2c1e6d1a4f0e9c572a8d4e6b1f300b9f2c1e6d1a4f0e'],
  // Base64 audio is replaced by a short sample.
  [/[A-Za-z0-9+/]{200,}=*/g, 'UklGRi4uLldBVkU='],
  [/EG_[A-Za-z0-9]{8,64}/g, 'EG_8fKq2LmN4pXy'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '0b9f2c1e-6d1a-4f0e-9c57-2a8d4e6b1f30'],
  [/X-Amz-[\w-]+=[^&"\s]+(&X-Amz-[\w-]+=[^&"\s]+)*/g, 'X-Amz-Signature=4f0e9c57'],
];

/** An answer as the reference shows it. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return PLAIN.reduce((text, [what, by]) => text.replaceAll(what, by), value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, plain(it)]));
}

/** The shape of a value: names and types. A list has the shape of its first entry, and null may be anything. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return expect.anything();
  if (Array.isArray(value)) return value.length === 0 ? expect.any(Array) : [shapeOf(value[0])];
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, shapeOf(it)]));
}
