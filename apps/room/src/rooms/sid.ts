import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_LENGTH = 14;

/** `RM_`, the installation's `CELL` and 14 random letters or digits (83 bits): our permanent id of a room, and its name in LiveKit. */
export const newRoomSid = (cell: string) =>
  `RM_${cell}${Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
