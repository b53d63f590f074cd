import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import core from './core.en.json';

/** Languages other than English. Each is loaded only if it is used. */
const LANGUAGES: Record<string, () => Promise<Record<string, object>>> = {
  de: async () => {
    const [core, panels, tutor] = await Promise.all([import('./core.de.json'), import('./panels.de.json'), import('./tutor.de.json')]);
    return { core: core.default, panels: panels.default, tutor: tutor.default };
  },
};

/** Sets the page's language: `lang` of the link, otherwise the browser's. English replaces missing texts. */
export async function startI18n(preferred: readonly string[], english: { panels: object }): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'core',
    resources: { en: { core, ...english } },
    interpolation: { escapeValue: false },
  });
  const language = preferred.map((tag) => tag.split('-')[0] ?? '').find((tag) => tag === 'en' || tag in LANGUAGES) ?? 'en';
  await use(language);
}

/** Adds the texts of a part of the page that is loaded later, in all languages, because they are few. Call it where the part begins. */
export function addTexts(namespace: string, texts: { en: object; de: object }): void {
  for (const [language, words] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, words);
}

async function use(language: string): Promise<void> {
  const load = LANGUAGES[language];
  if (load) {
    const words = await load().catch(() => undefined);
    if (!words) return;
    for (const [namespace, texts] of Object.entries(words)) i18next.addResourceBundle(language, namespace, texts);
    await i18next.changeLanguage(language);
  }
  document.documentElement.lang = i18next.language;
  document.documentElement.dir = i18next.dir();
}

export { default as i18next } from 'i18next';
export { useTranslation } from 'react-i18next';

/** The user's own locale if it is of the page's language: times and dates of `en-GB` are not those of `en`. */
export const localeOf = (language: string, preferred: readonly string[] = navigator.languages): string =>
  preferred.find((tag) => tag.split('-')[0] === language) ?? language;

/** `1:02:03`, or `2:03` for less than an hour. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
