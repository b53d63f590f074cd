import { Roster, type ParticipantInfo } from './roster.js';
import { person } from '../media/fake-person.js';
import { actionsFor } from './participant-actions.js';
import { toRows, formatWaitingTime, visibleRange, rowOffsets } from './people-rows.js';

const participant = (uid: string): ParticipantInfo => ({ uid, name: uid.toUpperCase(), role: 'STUDENT' });

function setup() {
  const events: string[] = [];
  const roster = new Roster({ onJoined: ({ uid }) => events.push(`+${uid}`), onLeft: ({ uid }) => events.push(`-${uid}`) });
  return { roster, events };
}

describe('the arrivals and departures', () => {
  it('leave out participants who were present before', () => {
    const { roster, events } = setup();
    roster.update([participant('a'), participant('b')]);
    expect(events).toEqual([]);
  });

  it('are reported once each, also after missed updates', () => {
    const { roster, events } = setup();
    roster.update([participant('a'), participant('b')]);
    roster.update([participant('a'), participant('b')]);
    roster.update([participant('b'), participant('c')]);
    expect(events).toEqual(['-a', '+c']);
  });

  it('start again with the next stay', () => {
    const { roster, events } = setup();
    roster.update([participant('a')]);
    roster.reset();
    roster.update([participant('b')]);
    expect(events).toEqual([]);
  });
});

const hand = (uid: string) => ({ uid, name: uid, raisedAt: '2026-09-01T08:00:00.000Z' });
const keys = (...args: Parameters<typeof toRows>) => toRows(...args).map(({ key }) => key);

describe('the list of participants', () => {
  const teacher = person('Tom', { role: 'TEACHER', mayPublish: true });
  const speaker = person('Uma', { mayPublish: true });

  it('shows raised hands in their order, then the speakers, then the others by name', () => {
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

  it('shows the participant first in their own section', () => {
    expect(keys([person('ada'), person('zoe', { isLocal: true })], [], '')).toEqual(['heading students', 'zoe', 'ada']);
  });

  it('keeps the hand of a participant who is disconnected for a moment', () => {
    expect(toRows([], [hand('ada')], '')[1]).toMatchObject({ kind: 'hand', person: undefined });
  });

  it('is searched without regard to accents and case, in hands too', () => {
    expect(keys([person('Zoë'), teacher], [hand('Zoë')], ' ZOE')).toEqual(['heading hands', 'hand Zoë', 'heading students', 'Zoë']);
    expect(keys([teacher], [], 'x')).toEqual([]);
  });
});

describe('the actions on a participant', () => {
  const permissions = { manageParticipants: true };
  const standing = { permissions, ownRole: 'TEACHER', maySpeak: false } as const;

  it('are none for a student, and none on oneself', () => {
    expect(actionsFor(person('ada'), { ...standing, permissions: { manageParticipants: false } })).toEqual([]);
    expect(actionsFor(person('ada', { isLocal: true }), standing)).toEqual([]);
  });

  it('depend on the participant’s role and devices', () => {
    expect(actionsFor(person('ada'), standing)).toEqual(['allowToSpeak', 'makeModerator', 'remove']);
    expect(actionsFor(person('ada', { microphone: 'on' }), { ...standing, maySpeak: true, isHandRaised: true })).toEqual([
      'mute',
      'lowerHand',
      'takeBack',
      'makeModerator',
      'remove',
    ]);
    expect(actionsFor(person('Tom', { role: 'TEACHER', microphone: 'muted' }), standing)).toEqual(['remove']);
    expect(actionsFor(person('Mo', { role: 'MODERATOR' }), standing)).toEqual(['makeStudent', 'remove']);
  });

  it('raise no one above the participant who acts, and are none on a person of a higher role', () => {
    const student = { ...standing, ownRole: 'STUDENT' } as const;
    expect(actionsFor(person('ada'), student)).toEqual(['allowToSpeak', 'remove']);
    expect(actionsFor(person('Mo', { role: 'MODERATOR' }), student)).toEqual([]);
  });
});

describe('the rendered rows', () => {
  const offsets = rowOffsets([2, 3, 3, 3]);

  it('are exactly the visible ones', () => {
    expect(offsets).toEqual([0, 2, 5, 8, 11]);
    expect(visibleRange(offsets, 0, 1)).toEqual([0, 1]);
    expect(visibleRange(offsets, 3, 6)).toEqual([1, 3]);
    expect(visibleRange(offsets, -20, 60)).toEqual([0, 4]);
  });

  it('are none in an empty list', () => {
    expect(visibleRange(rowOffsets([]), -20, 60)).toEqual([0, 0]);
  });

  it('are few in a very long list', () => {
    const [first, end] = visibleRange(rowOffsets(Array.from({ length: 5000 }, () => 3)), 9000, 9030);
    expect([first, end]).toEqual([3000, 3011]);
  });
});

describe('the time that a hand has been raised', () => {
  it('is shown approximately', () => {
    expect(formatWaitingTime(27_000, 'en')).toBe('20 sec');
    expect(formatWaitingTime(125_000, 'en')).toBe('2 min');
    expect(formatWaitingTime(125_000, 'de')).toBe('2 Min.');
  });

  it('is not shown in the first seconds, nor if it is negative because clocks differ', () => {
    expect(formatWaitingTime(9_900, 'en')).toBeUndefined();
    expect(formatWaitingTime(-5_000, 'en')).toBeUndefined();
  });
});
