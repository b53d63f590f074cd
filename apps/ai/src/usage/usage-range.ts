const DAY_MS = 86_400_000;

/** `from` is inclusive and `before` exclusive; null means no limit. */
export interface Range {
  from: Date | null;
  before: Date | null;
}

const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Both dates are inclusive: a day with all its hours in UTC, an instant with its millisecond. */
export function toRange({ startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined }): Range {
  const end = endDate === undefined ? undefined : new Date(endDate).getTime() + (isDay(endDate) ? DAY_MS : 1);
  return { from: startDate === undefined ? null : new Date(startDate), before: end === undefined ? null : new Date(end) };
}
