const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;

/** @returns the source with its comments as spaces, so that every line keeps its number */
export const withoutComments = (source: string): string => source.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '));

/** @returns the lines of all comments of a source */
export const commentsIn = (source: string): { line: number; text: string }[] =>
  [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const first = source.slice(0, index).split('\n').length;
    return comment.split('\n').map((text, at) => ({ line: first + at, text }));
  });
