/** The user's own locale if it is of the page's language: times and dates of `en-GB` are not those of `en`. */
export const localeOf = (language: string, preferred: readonly string[] = navigator.languages): string =>
  preferred.find((tag) => tag.split('-')[0] === language) ?? language;
