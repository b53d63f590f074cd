/** One decimal, 100 at most. */
export const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 1000) / 10));
