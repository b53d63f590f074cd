/** In whole minutes from the first on, before that in steps of ten seconds: nobody wants to watch a stopwatch. Undefined: not yet. */
export function waitingTime(ms: number, language: string): string | undefined {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return undefined;
  const [value, unit] = seconds < 60 ? [Math.floor(seconds / 10) * 10, 'second'] : [Math.floor(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}
