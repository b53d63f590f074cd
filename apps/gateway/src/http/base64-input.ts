import { AppError, invalidField } from '@classroom/contracts';

const MIB = 1024 ** 2;

/**
 * Decodes a field of base64 as in RFC 4648: padded, without line breaks, not in its alphabet for URLs.
 * @param limit in bytes, after decoding
 * @throws AppError VALIDATION_FAILED or PAYLOAD_TOO_LARGE, which name the field
 */
export function decodeInput(field: string, base64: string, limit: number): Buffer {
  // Checked before decoding, so that a field that is too large costs nothing.
  if (Math.floor((base64.length * 3) / 4) - 2 > limit) throw tooLarge(field, limit);
  const bytes = Buffer.from(base64, 'base64');
  // Node skips characters that it cannot decode: only valid base64 encodes to the same text again.
  if (bytes.toString('base64') !== base64) throw invalidField(field, 'must be base64');
  if (bytes.length > limit) throw tooLarge(field, limit);
  return bytes;
}

function tooLarge(field: string, limit: number): AppError {
  const message = `must be at most ${limit / MIB} MiB`;
  return new AppError('PAYLOAD_TOO_LARGE', { message: `${field} ${message}`, details: [{ path: field, message }] });
}
