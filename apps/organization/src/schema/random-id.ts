import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 20;

/** `<prefix>_` and 20 letters or digits, all equally likely: random bytes beyond a multiple of the alphabet's length are discarded. */
export function randomId(prefix: string): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      if (byte < limit && text.length < LENGTH) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return `${prefix}_${text}`;
}
