import { createHash, randomBytes } from 'node:crypto';

const VALUE_BYTES = 24;
const SHORT = 16;
const HINT_LENGTH = 4;

/** 192 random bits. The prefix lets scanners recognize a value that was published by mistake. */
export const newValue = () => `vfo_${randomBytes(VALUE_BYTES).toString('base64url')}`;

/** All that is stored of a value. Chosen values are weaker than random ones, but a slower hash would be computed for every request. */
export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/** A short value would be recognizable by its end. */
export const hintOf = (value: string): string => (value.length < SHORT ? '' : value.slice(-HINT_LENGTH));
