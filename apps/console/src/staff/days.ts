/** Days and months in UTC, as the API names them: `2026-01-31`, `2026-01`. */

const DAY_MS = 86_400_000;

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
export const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

/** First and last day of a month. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: dayOf(new Date(Date.UTC(year, number, 0))) };
}

/** The month that is `count` months later, or earlier if it is negative. */
export function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + count, 1)));
}

/** The twelve months that end with this one. */
export const yearUntil = (month: string): string[] => Array.from({ length: 12 }, (_, index) => monthAfter(month, index - 11));

/** Every day from the first to the last, both included. */
export function daysBetween(from: string, to: string): string[] {
  const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, length) }, (_, index) => dayOf(new Date(Date.parse(from) + index * DAY_MS)));
}

export const isMonth = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(new Date(text)) === text;
