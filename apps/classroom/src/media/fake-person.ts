import type { Person } from './people.js';

/** A student who only listens. */
export const person = (uid: string, more: Partial<Person> = {}): Person => ({
  uid,
  name: uid,
  role: 'STUDENT',
  photoURL: null,
  isLocal: false,
  isSpeaking: false,
  microphone: 'none',
  camera: undefined,
  screen: undefined,
  quality: 'good',
  joinedAt: 0,
  mayPublish: false,
  isPublishing: false,
  spotlitAt: 0,
  ...more,
});
