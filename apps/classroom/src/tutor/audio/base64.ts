/** A number of arguments that every browser supports in one call. */
const CHUNK_SIZE = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  // oxlint-disable-next-line lists/no-list-arguments -- of at most CHUNK_SIZE bytes
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_SIZE));
  return btoa(text);
}

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
