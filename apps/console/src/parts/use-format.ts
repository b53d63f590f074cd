import { useMemo } from 'react';
import { useTranslation } from '../i18n/index.js';

/** Numbers, times and amounts in the page's language and the browser's time zone. */
export function useFormat() {
  const { language } = useTranslation().i18n;
  return useMemo(() => {
    const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
    const second = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
    const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
    const day = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
    const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
    return {
      language,
      moment: (time: string) => moment.format(new Date(time)),
      clock: (time: string | number) => clock.format(new Date(time)),
      /** With seconds. */
      second: (time: string | number) => second.format(new Date(time)),
      exact: (time: string) => exact.format(new Date(time)),
      /** A day in UTC, `2026-01-31`. */
      day: (text: string) => day.format(new Date(text)),
      /** `2026-01`. */
      month: (text: string) => month.format(new Date(`${text}-01`)),
      number: (value: number) => number.format(value),
      amount: (value: number, currency: string) => new Intl.NumberFormat(language, { style: 'currency', currency }).format(value),
      bytes: (value: number) =>
        new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(value / 1e6),
      /** `1:02:03`, or `2:03` for less than an hour. */
      duration: (seconds: number) => {
        const two = (value: number) => String(value).padStart(2, '0');
        const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
        return hours > 0 ? `${hours}:${two(minutes)}:${two(Math.floor(seconds % 60))}` : `${minutes}:${two(Math.floor(seconds % 60))}`;
      },
    };
  }, [language]);
}
