const DAY_MS = 86_400_000;

/** From an instant on, and before another; open where null. */
export interface Range {
  from: Date | null;
  before: Date | null;
}

const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Both ends belong to it: a day with all its hours in UTC, an instant with its millisecond. */
export function toRange({ startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined }): Range {
  const end = endDate === undefined ? undefined : new Date(endDate).getTime() + (isDay(endDate) ? DAY_MS : 1);
  return { from: startDate === undefined ? null : new Date(startDate), before: end === undefined ? null : new Date(end) };
}
