/** Seconds, rounded to tenths. */
export const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
