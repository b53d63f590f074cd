import type { OpenQuestion } from '@classroom/contracts';
import { hand, message, poll, user } from '../class/fake-service.js';
import { INITIAL_SNAPSHOT, type ClassSnapshot } from '../class/snapshot.js';
import { announcePolls } from '../polls/polls.js';
import { announceQuestions, type QuestionsState } from '../tutor/open-questions.js';
import type { ClassroomSession } from '../session/session.js';
import { Store } from '../store.js';
import { createAppStore, type I18nText } from '../app/app-store.js';
import { announceAlerts } from './announcements.js';

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
