import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 16;

/** `RM_` and 16 random letters or digits (95 bits): our permanent id of a room, and its name in LiveKit. */
export const newRoomSid = () => `RM_${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
