import type { ClassroomSession } from '../session/session.js';
import { hand, message, user } from '../class/fake-service.js';
import { INITIAL_SNAPSHOT } from '../class/snapshot.js';
import { alertsBetween, type Moment } from './alerts.js';

const sessionOf = (uid: string, manageParticipants: boolean, ui = {}) =>
  ({ participant: user(uid), permissions: { manageParticipants }, ui }) as Partial<ClassroomSession> as ClassroomSession;
const TEACHER = sessionOf('tom', true);
const STUDENT = sessionOf('ben', false);

const moment = (change: Partial<Moment> = {}): Moment => ({
  ...INITIAL_SNAPSHOT,
  isLoaded: true,
  screen: 'class',
  session: TEACHER,
  speakers: [],
  hostRequest: undefined,
  ...change,
});
const waiting = (uid: string) =>
  ({ ...user(uid), role: 'STUDENT', since: '2026-09-01T08:00:00.000Z' }) as unknown as Moment['waiting'][number];
const NEWS: Partial<Moment> = { hands: [hand('ada'), hand('tom')], waiting: [waiting('eve')], messages: [message(3), message(7)] };

describe('what a participant is notified of', () => {
  it('is, for a teacher, each new hand, each person who waits, and each new message, by name alone', () => {
    const before = moment({ hands: [], messages: [message(3)] });
    const alerts = alertsBetween(before, moment(NEWS));
    expect(alerts).toEqual([
      { kind: 'hand', name: 'Name of ada' },
      { kind: 'waiting', name: 'Name of eve' },
      { kind: 'chat', name: 'Name of ada' },
    ]);
    expect(JSON.stringify(alerts)).not.toContain('text');
    expect(alertsBetween(moment(NEWS), moment(NEWS))).toEqual([]);
  });

  it('is, for a student, neither a hand nor who waits', () => {
    const kinds = alertsBetween(moment({ session: STUDENT }), moment({ session: STUDENT, ...NEWS })).map(({ kind }) => kind);
    expect(kinds).toEqual(['chat', 'chat']);
  });

  it('leaves out what was there before the participant came, their own messages, older and deleted ones, and a hidden chat', () => {
    expect(alertsBetween(moment({ isLoaded: false }), moment(NEWS))).toEqual([]);
    const before = moment({ messages: [message(5)] });
    const own = { ...message(6), uid: 'tom' };
    const deleted = { ...message(7), deletedAt: '2026-09-01T08:00:00.000Z' };
    expect(alertsBetween(before, moment({ messages: [message(2), message(5), own, deleted] }))).toEqual([]);
    const hidden = sessionOf('ben', false, { hideChat: true });
    expect(alertsBetween(moment({ session: hidden }), moment({ session: hidden, messages: [message(6)] }))).toEqual([]);
  });

  it('is that a student may speak, is asked for a device, and is let in', () => {
    const before = moment({ session: STUDENT });
    const allowed: Moment = { ...before, speakers: [{ ...user('ben'), allowedAt: '2026-09-01T08:00:00.000Z', allowedBy: 'tom' }] };
    expect(alertsBetween(before, allowed)).toEqual([{ kind: 'speak', name: '' }]);
    expect(alertsBetween(allowed, before)).toEqual([]);
    expect(alertsBetween({ ...before, isLoaded: false }, allowed)).toEqual([]);
    const hostRequest = { device: 'microphone', host: 'school.example' } as const;
    expect(alertsBetween(before, { ...before, hostRequest })).toEqual([{ kind: 'microphone', name: 'school.example' }]);
    const inWaitingRoom: Moment = { ...before, screen: 'waiting', isLoaded: false };
    expect(alertsBetween(inWaitingRoom, before)).toEqual([{ kind: 'admitted', name: '' }]);
    expect(alertsBetween(inWaitingRoom, { ...before, screen: 'outcome' })).toEqual([]);
  });
});
