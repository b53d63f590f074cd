import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits, each as likely as the others: bytes beyond a multiple of the alphabet are thrown away. */
function random(length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

export const newVideoId = () => `vid_${random(20)}`;
/** Nobody can guess it: it is all that an upload asks for. */
export const newUploadId = () => random(32);
