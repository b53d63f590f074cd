import type { OpenQuestion } from '@classroom/contracts';
import { createAppStore, type I18nText } from '../app/app-store.js';
import { hand, message, poll, user } from '../class/fake-service.js';
import { INITIAL_SNAPSHOT, type ClassSnapshot } from '../class/snapshot.js';
import { announcePolls } from '../polls/polls.js';
import type { ClassroomSession } from '../session/session.js';
import { Store } from '../store.js';
import { announceQuestions, type QuestionsState } from '../tutor/open-questions.js';
import { alertsBetween, announceAlerts, type Moment } from './alerts.js';

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

/** A class that has loaded. `say`: what a change announces. */
function classOf({ uid = 'tom', manageParticipants = true, ui = {} } = {}) {
  const said: string[] = [];
  const app = createAppStore();
  app.set({ screen: 'class', session: { participant: user(uid), permissions: { manageParticipants }, ui } as unknown as ClassroomSession });
  const store = new Store<ClassSnapshot>(INITIAL_SNAPSHOT);
  const openQuestions = new Store<QuestionsState>({ isLoaded: false, questions: [], failure: undefined, resolveFailure: undefined });
  const classStore = { getSnapshot: store.get, subscribe: store.subscribe };
  const announce = ({ key, values = {} }: I18nText) => void said.push([key, ...Object.values(values)].join(' '));
  const announceNames = (doing: string, names: readonly string[]) => void said.push(...names.map((name) => `${doing} ${name}`));
  announceAlerts({ app, classStore, toasts: { announceNames } });
  announcePolls({ app, classStore, toasts: { announce } });
  announceQuestions({ app, toasts: { announce } }, openQuestions);
  const say = (change: Partial<ClassSnapshot>) => {
    store.set(change);
    return said.splice(0);
  };
  const ask = (...ids: string[]) => {
    openQuestions.set({ isLoaded: true, questions: ids.map((questionId) => ({ questionId }) as OpenQuestion) });
    return said.splice(0);
  };
  return { app, say, ask };
}

describe('what a screen reader learns of a class', () => {
  it('is who writes while the chat is closed, but nothing from before, from oneself or from the open chat', () => {
    const { app, say } = classOf();
    expect(say({ isLoaded: true, messages: [message(1)] })).toEqual([]);
    expect(say({ messages: [message(1), message(2)] })).toEqual(['chat Name of ada']);
    expect(say({ messages: [message(0), message(1), { ...message(2), deletedAt: '2030-01-01T00:00:00.000Z' }] })).toEqual([]);
    expect(say({ messages: [message(2), { ...message(3), uid: 'tom' }] })).toEqual([]);
    app.set({ tab: 'chat' });
    expect(say({ messages: [message(2), message(3), message(4)] })).toEqual([]);
    app.set({ tab: 'people' });
    expect(say({ messages: [message(4), message(5)] })).toEqual(['chat Name of ada']);
    expect(classOf({ ui: { hideChat: true } }).say({ isLoaded: true })).toEqual([]);
  });

  it('is a raised hand, for those who manage others', () => {
    const teacher = classOf();
    teacher.say({ isLoaded: true, hands: [hand('ada')] });
    expect(teacher.say({ hands: [hand('ada'), hand('ben'), hand('tom')] })).toEqual(['hand Name of ben']);
    const student = classOf({ uid: 'eve', manageParticipants: false });
    student.say({ isLoaded: true });
    expect(student.say({ hands: [hand('ada')] })).toEqual([]);
  });

  it('is each poll that opens or closes, also one that is open at entry or was put aside', () => {
    const { say } = classOf();
    expect(say({ isLoaded: true, polls: [poll('a', [0, 0], 'closed'), poll('b')] })).toEqual(['panels:polls.announced Why?']);
    expect(say({ polls: [poll('a', [0, 0], 'closed'), poll('b', [1, 0])] })).toEqual([]);
    expect(say({ polls: [poll('b', [1, 0], 'closed'), poll('c')] })).toEqual([
      'panels:polls.announcedResult Why?',
      'panels:polls.announced Why?',
    ]);
  });

  it('is a new question that waits for a teacher, while the list is closed', () => {
    const { app, ask } = classOf();
    expect(ask('a')).toEqual([]);
    expect(ask('a', 'b')).toEqual(['announcement.questions 2']);
    expect(ask('b')).toEqual([]);
    app.set({ tab: 'tutor' });
    expect(ask('b', 'c')).toEqual([]);
  });
});
