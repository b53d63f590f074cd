/** @returns the largest of many numbers, and -Infinity for none. As arguments of `Math.max`, a long list overflows the stack. */
export const largestOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), -Infinity);

/** @returns the smallest of many numbers, and Infinity for none */
export const smallestOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity);
