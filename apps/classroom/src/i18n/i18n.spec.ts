import { localeOf } from './index.js';
import de from './core.de.json';
import dePanels from './panels.de.json';
import deBoard from '../board/de.json';
import deDocuments from '../board/documents.de.json';
import deAttention from '../notifications/attention.de.json';
import deDoor from '../room/de.json';
import deConsent from '../class-recording/consent.de.json';
import deSetup from '../devices/de.json';
import deNotifications from '../notifications/notifications.de.json';
import deOpening from '../entering/opening.de.json';
import deModeration from '../chat/moderation.de.json';
import deRecording from '../class-recording/recording.de.json';
import deWaiting from '../entering/waiting.de.json';
import deTutor from './tutor.de.json';
import en from './core.en.json';
import enPanels from './panels.en.json';
import enBoard from '../board/en.json';
import enDocuments from '../board/documents.en.json';
import enAttention from '../notifications/attention.en.json';
import enDoor from '../room/en.json';
import enConsent from '../class-recording/consent.en.json';
import enSetup from '../devices/en.json';
import enNotifications from '../notifications/notifications.en.json';
import enOpening from '../entering/opening.en.json';
import enModeration from '../chat/moderation.en.json';
import enRecording from '../class-recording/recording.en.json';
import enWaiting from '../entering/waiting.en.json';
import enTutor from './tutor.en.json';

it('formats times as in the country of the user, in the language of the page', () => {
  expect(localeOf('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(localeOf('de', ['en-GB'])).toBe('de');
  // Another language that begins with the same letters.
  expect(localeOf('de', ['den-CA', 'de-CH'])).toBe('de-CH');
});

type Words = { [key: string]: string | Words };

const entries = (words: Words, path = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : entries(value, `${path}${key}.`),
  );
const slots = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

it.each([
  ['the class', en, de],
  ['the panels', enPanels, dePanels],
  ['the tutor', enTutor, deTutor],
  ['the board', enBoard, deBoard],
  ['the documents', enDocuments, deDocuments],
  ['the moderation of the chat', enModeration, deModeration],
  ['the question for consent', enConsent, deConsent],
  ['the settings of the class', enDoor, deDoor],
  ['what waits for a teacher', enAttention, deAttention],
  ['the time before the class', enOpening, deOpening],
  ['sound and picture', enSetup, deSetup],
  ['the notifications', enNotifications, deNotifications],
  ['the waiting room', enWaiting, deWaiting],
  ['the control of the recording', enRecording, deRecording],
])('%s has the same texts with the same values in German and in English', (_, english, translated) => {
  const german = new Map(entries(translated));
  expect([...german.keys()].sort()).toEqual(
    entries(english)
      .map(([key]) => key)
      .sort(),
  );
  for (const [key, text] of entries(english)) expect([key, slots(german.get(key) ?? '')]).toEqual([key, slots(text)]);
});
