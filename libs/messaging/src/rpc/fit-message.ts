/** Leaves room for the envelope in a message of 512 KiB. */
const BYTES = 400 * 1024;

/** The first of the items, as many as fit into one message. */
export function fitMessage<T>(items: readonly T[], bytes = BYTES): T[] {
  let left = bytes;
  const tooMany = items.findIndex((item) => (left -= Buffer.byteLength(JSON.stringify(item)) + 1) < 0);
  return tooMany < 0 ? [...items] : items.slice(0, tooMany);
}
