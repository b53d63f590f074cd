/** Minutes with two decimals. */
export const minutes = (seconds: number) => (seconds / 60).toFixed(2);
