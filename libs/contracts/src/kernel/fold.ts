/** The same for all texts that a search takes for equal: without accents, case and width, and independent of the language of a browser or a database. */
export const fold = (text: string): string =>
  text.normalize('NFKD').toLowerCase().toUpperCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
