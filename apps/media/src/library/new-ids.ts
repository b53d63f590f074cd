import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, all equally likely: bytes beyond a multiple of the alphabet's length are discarded. */
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
export const newDocumentId = () => `doc_${random(20)}`;
export const newBoardFileId = () => `board_${random(20)}`;
/** Unguessable: an upload needs no other credential. */
export const newUploadId = () => random(32);
