import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
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
export { useTranslation } from 'react-i18next';
