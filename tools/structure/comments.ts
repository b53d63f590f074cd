/** @returns the source with its comments as spaces, so that every line keeps its number */
export const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
