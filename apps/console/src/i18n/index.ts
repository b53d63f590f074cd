import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { useMemo } from 'react';
import en from './en.json';

/** Languages other than English. Each is loaded only if it is used. */
const LANGUAGES: Record<string, () => Promise<{ default: object }>> = { de: () => import('./de.json') };
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };
const CHOICE = 'console-language';

/** Sets the page's language: the one that was chosen here, otherwise the browser's. English replaces missing texts. */
export async function startI18n(preferred: readonly string[]): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  const known = (tag: string) => tag in LANGUAGE_NAMES;
  const chosen = localStorage.getItem(CHOICE);
  await use([...(chosen ? [chosen] : []), ...preferred].map((tag) => tag.split('-')[0] ?? '').find(known) ?? 'en');
}

/** Changes the language, and keeps the choice in this browser. */
export async function choose(language: string): Promise<void> {
  localStorage.setItem(CHOICE, language);
  await use(language);
}

async function use(language: string): Promise<void> {
  const load = LANGUAGES[language];
  if (load) {
    const words = await load().catch(() => undefined);
    if (!words) return;
    i18next.addResourceBundle(language, 'translation', words.default);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

export { default as i18next } from 'i18next';
export { useTranslation };

/** Numbers, times and amounts in the page's language and the browser's time zone. */
export function useFormat() {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => {
    // The browser's region decides how a date is written, as long as it has the page's language.
    const locale = navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language;
    const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
    const second = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
    const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
    const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
    const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const shortMonth = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' });
    const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
    const zone = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' });
    return {
      language,
      moment: (time: string) => moment.format(new Date(time)),
      /** Of today, the time of the day alone. */
      near: (time: string) =>
        date.format(new Date(time)) === date.format(new Date())
          ? t('todayAt', { time: clock.format(new Date(time)) })
          : moment.format(new Date(time)),
      date: (time: string) => date.format(new Date(time)),
      /** The time zone of all times that are not in UTC: `Europe/Berlin (GMT+1)`. */
      zone: () => {
        const short = zone.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? '';
        const { timeZone } = zone.resolvedOptions();
        return timeZone === short ? short : `${timeZone} (${short})`;
      },
      clock: (time: string | number) => clock.format(new Date(time)),
      /** With seconds. */
      second: (time: string | number) => second.format(new Date(time)),
      exact: (time: string) => exact.format(new Date(time)),
      /** A day in UTC, `2026-01-31`. */
      day: (text: string) => day.format(new Date(text)),
      /** `2026-01`. */
      month: (text: string) => month.format(new Date(`${text}-01`)),
      shortMonth: (time: number) => shortMonth.format(new Date(time)),
      number: (value: number) => number.format(value),
      amount: (value: number, currency: string) => new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value),
      bytes: (value: number) =>
        new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(value / 1e6),
      /** `1:02:03`, or `2:03` for less than an hour. */
      duration: (seconds: number) => {
        const two = (value: number) => String(value).padStart(2, '0');
        const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
        return hours > 0 ? `${hours}:${two(minutes)}:${two(Math.floor(seconds % 60))}` : `${minutes}:${two(Math.floor(seconds % 60))}`;
      },
    };
  }, [language]);
}
