/** Of an array of one dimension, in bytes: what precedes its first element, and the length that precedes each element. */
const ARRAY_HEADER = 20;
const LENGTH = 4;
const LENGTH_OF_NULL = -1;
const WORD = 4;
const HIGH_WORD = 2 ** 32;
const YEAR_2000 = Date.UTC(2000) * 1_000;

/**
 * Decodes what `encode(array_send(…), 'base64')` writes for an array of `timestamptz`: 64-bit microseconds since 2000.
 * @returns microseconds since 1970
 */
export function decodeTimes(base64: string | null): (number | null)[] {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const times: (number | null)[] = [];
  for (let at = ARRAY_HEADER; at < bytes.length;) {
    const length = view.getInt32(at);
    at += LENGTH;
    const isNull = length === LENGTH_OF_NULL;
    times.push(isNull ? null : view.getInt32(at) * HIGH_WORD + view.getUint32(at + WORD) + YEAR_2000);
    if (!isNull) at += length;
  }
  return times;
}
