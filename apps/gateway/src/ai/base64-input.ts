import { AI_INPUT_LIMIT, AppError, invalidField } from '@classroom/contracts';

const MIB = 1024 ** 2;

/**
 * Decodes a field of base64 as in RFC 4648: padded, without line breaks, not in its alphabet for URLs.
 * @throws AppError VALIDATION_FAILED or PAYLOAD_TOO_LARGE, which name the field
 */
export function decodeInput(field: string, base64: string): Buffer {
  // Checked before decoding, so that a field that is too large costs nothing.
  if (Math.floor((base64.length * 3) / 4) - 2 > AI_INPUT_LIMIT) throw tooLarge(field);
  const bytes = Buffer.from(base64, 'base64');
  // Node skips characters that it cannot decode: only valid base64 encodes to the same text again.
  if (bytes.toString('base64') !== base64) throw invalidField(field, 'must be base64');
  if (bytes.length > AI_INPUT_LIMIT) throw tooLarge(field);
  return bytes;
}

function tooLarge(field: string): AppError {
  const message = `must be at most ${AI_INPUT_LIMIT / MIB} MiB`;
  return new AppError('PAYLOAD_TOO_LARGE', { message: `${field} ${message}`, details: [{ path: field, message }] });
}
