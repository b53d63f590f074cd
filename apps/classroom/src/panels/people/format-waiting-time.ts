/** The waiting time in whole minutes; below one minute, in steps of ten seconds. Undefined below ten seconds. */
export function formatWaitingTime(ms: number, language: string): string | undefined {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return undefined;
  const [value, unit] = seconds < 60 ? [Math.floor(seconds / 10) * 10, 'second'] : [Math.floor(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}
