import de from './de/core.json';
import deAttention from './de/attention.json';
import deDoor from './de/door.json';
import deConsent from './de/consent.json';
import deSetup from './de/setup.json';
import deNotifications from './de/notifications.json';
import deOpening from './de/opening.json';
import deModeration from './de/moderation.json';
import deRecording from './de/recording.json';
import deWaiting from './de/waiting.json';
import deTutor from './de/tutor.json';
import en from './en/core.json';
import enAttention from './en/attention.json';
import enDoor from './en/door.json';
import enConsent from './en/consent.json';
import enSetup from './en/setup.json';
import enNotifications from './en/notifications.json';
import enOpening from './en/opening.json';
import enModeration from './en/moderation.json';
import enRecording from './en/recording.json';
import enWaiting from './en/waiting.json';
import enTutor from './en/tutor.json';

type Words = { [key: string]: string | Words };

const entries = (words: Words, path = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : entries(value, `${path}${key}.`),
  );
const slots = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

it.each([
  ['the class', en, de],
  ['the tutor', enTutor, deTutor],
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
