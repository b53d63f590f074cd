import type { Person } from '../../media/person.js';
import { deedsFor } from './deeds.js';
import { toRows } from './roster.js';
import { waitingTime } from './waiting-time.js';
import { rangeOf, topsOf } from './windowing.js';

const person = (uid: string, more: Partial<Person> = {}): Person => ({
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
  ...more,
});
const hand = (uid: string) => ({ uid, name: uid, raisedAt: '2026-09-01T08:00:00.000Z' });
const keys = (...args: Parameters<typeof toRows>) => toRows(...args).map(({ key }) => key);

describe('the list of people', () => {
  const teacher = person('Tom', { role: 'TEACHER', mayPublish: true });
  const speaker = person('Uma', { mayPublish: true });

  it('shows hands as they went up, then who may speak, then the others by name', () => {
    const people = [person('Zoë'), speaker, person('ada'), teacher];
    expect(keys(people, [hand('Zoë'), hand('ada')], '')).toEqual([
      'heading hands',
      'hand Zoë',
      'hand ada',
      'heading speakers',
      'Tom',
      'Uma',
      'heading students',
      'ada',
      'Zoë',
    ]);
  });

  it('shows oneself first among one’s equals', () => {
    expect(keys([person('ada'), person('zoe', { isLocal: true })], [], '')).toEqual(['heading students', 'zoe', 'ada']);
  });

  it('keeps the hand of somebody who is away for a moment', () => {
    expect(toRows([], [hand('ada')], '')[1]).toMatchObject({ kind: 'hand', person: undefined });
  });

  it('finds names without their accents and case, hands as well', () => {
    expect(keys([person('Zoë'), teacher], [hand('Zoë')], ' ZOE')).toEqual(['heading hands', 'hand Zoë', 'heading students', 'Zoë']);
    expect(keys([teacher], [], 'x')).toEqual([]);
  });
});

describe('what may be done to somebody', () => {
  const permissions = {
    publish: true,
    shareScreen: true,
    manageParticipants: true,
    startRecording: true,
    stopRecording: true,
    endClass: true,
    changeRoom: false,
    managePolls: true,
  };

  it('is nothing for a student, and nothing to oneself', () => {
    expect(deedsFor(person('ada'), { ...permissions, manageParticipants: false }, false)).toEqual([]);
    expect(deedsFor(person('ada', { isLocal: true }), permissions, false)).toEqual([]);
  });

  it('follows what they do now', () => {
    expect(deedsFor(person('ada'), permissions, false)).toEqual(['allowToSpeak', 'remove']);
    expect(deedsFor(person('ada', { microphone: 'on' }), permissions, true)).toEqual(['mute', 'takeBack', 'remove']);
    expect(deedsFor(person('Tom', { role: 'TEACHER', microphone: 'muted' }), permissions, false)).toEqual(['remove']);
  });
});

describe('the rows that are drawn', () => {
  const tops = topsOf([2, 3, 3, 3]);

  it('are those to be seen, and no others', () => {
    expect(tops).toEqual([0, 2, 5, 8, 11]);
    expect(rangeOf(tops, 0, 1)).toEqual([0, 1]);
    expect(rangeOf(tops, 3, 6)).toEqual([1, 3]);
    expect(rangeOf(tops, -20, 60)).toEqual([0, 4]);
  });

  it('are none of an empty list', () => {
    expect(rangeOf(topsOf([]), -20, 60)).toEqual([0, 0]);
  });

  it('stay few among very many', () => {
    const [first, end] = rangeOf(topsOf(Array.from({ length: 5000 }, () => 3)), 9000, 9030);
    expect([first, end]).toEqual([3000, 3011]);
  });
});

describe('how long a hand has been up', () => {
  it('is told roughly', () => {
    expect(waitingTime(27_000, 'en')).toBe('20 sec');
    expect(waitingTime(125_000, 'en')).toBe('2 min');
    expect(waitingTime(125_000, 'de')).toBe('2 Min.');
  });

  it('is not told at first, nor of a hand from the future where clocks differ', () => {
    expect(waitingTime(9_900, 'en')).toBeUndefined();
    expect(waitingTime(-5_000, 'en')).toBeUndefined();
  });
});
