import type { Poll } from '@classroom/contracts';
import type { ClassStore } from '../class/class-store.js';
import type { OpenQuestions } from '../tutor/open-questions.js';
import type { Store } from '../store.js';
import { alertsBetween, type AlertKind } from './alerts.js';
import type { AppState } from '../app/app-store.js';
import { hasTab } from '../app/granted.js';
import type { Toasts } from '../app/toasts.js';

interface Parts {
  app: Store<AppState>;
  classStore: Pick<ClassStore, 'getSnapshot' | 'subscribe'>;
  openQuestions: Pick<OpenQuestions, 'get' | 'subscribe'>;
  toasts: Pick<Toasts, 'announce' | 'announceNames'>;
}

/**
 * Announces what arrives in the panels: raised hands to those who manage others, polls, and while their panel is closed, messages and questions.
 * The open chat is a log, which screen readers follow.
 */
export function announceClass(parts: Parts): void {
  const { app, classStore, toasts } = parts;
  const moment = () => ({ ...app.get(), ...classStore.getSnapshot() });
  let before = moment();
  classStore.subscribe(() => {
    const [was, now] = [before, (before = moment())];
    const alerts = alertsBetween(was, now);
    const announce = (kind: AlertKind & ('hand' | 'chat')) =>
      toasts.announceNames(
        kind,
        alerts.filter((alert) => alert.kind === kind).map(({ name }) => name),
      );
    announce('hand');
    if (now.tab !== 'chat') announce('chat');
    if (now.session && now.polls !== was.polls && hasTab(now.session, 'polls')) announcePolls(was.polls, now.polls, toasts);
  });
  announceQuestions(parts);
}

/** The newest poll that has opened, also before the participant came, and the newest that has closed in class. */
function announcePolls(before: readonly Poll[], polls: readonly Poll[], toasts: Parts['toasts']): void {
  const known = new Map(before.map(({ pollId, status }) => [pollId, status]));
  const opened = polls.findLast(({ pollId, status }) => status === 'open' && !known.has(pollId));
  const closed = polls.findLast(({ pollId, status }) => status === 'closed' && known.get(pollId) === 'open');
  if (closed) toasts.announce({ key: 'panels:polls.announcedResult', values: { question: closed.question } });
  if (opened) toasts.announce({ key: 'panels:polls.announced', values: { question: opened.question } });
}

/** Questions that wait for a teacher. Only participants who answer them get the list. */
function announceQuestions({ app, openQuestions, toasts }: Parts): void {
  let before = openQuestions.get();
  openQuestions.subscribe(() => {
    const [was, now] = [before, (before = openQuestions.get())];
    const known = new Set(was.questions.map(({ questionId }) => questionId));
    const isNew = was.isLoaded && now.questions.some(({ questionId }) => !known.has(questionId));
    if (isNew && app.get().tab !== 'tutor') toasts.announce({ key: 'announcement.questions', values: { count: now.questions.length } });
  });
}
