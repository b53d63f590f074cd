/** The same for all texts that a search takes for equal: without accents, case and width, and independent of the browser's language. */
export const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().toUpperCase();
