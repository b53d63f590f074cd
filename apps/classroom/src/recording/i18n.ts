import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** The texts of the stage and its tiles in a recording. */
const TEXTS = {
  stage: { label: 'Recording' },
  tile: {
    you: '{{name}}',
    screen: '{{name}}’s screen',
    muted: 'Muted',
    hand: 'Hand raised',
    poor: 'Poor connection',
    waiting: 'Waiting for the picture',
  },
};

export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    defaultNS: 'core',
    resources: { en: { core: TEXTS } },
    interpolation: { escapeValue: false },
  });
}
