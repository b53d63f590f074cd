/** Bytes of all drawings and pages of documents of one file together. */
export const MAX_BYTES = 128 * 1024 ** 2;
