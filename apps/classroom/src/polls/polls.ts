import type { Poll } from '@classroom/contracts';
import type { AppState } from '../app/app-store.js';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Toasts } from '../app/toasts.js';
import type { ClassStore } from '../class/class-store.js';
import type { ClassroomSession } from '../session/session.js';
import type { Store } from '../store.js';

export const hasPolls = ({ ui = {} }: Pick<ClassroomSession, 'ui'>): boolean => !ui.hidePolls;

interface Parts {
  app: Store<AppState>;
  classStore: Pick<ClassStore, 'getSnapshot' | 'subscribe'>;
  toasts: Pick<Toasts, 'announce'>;
}

export class PollNews implements Part {
  constructor(classroom: ClassroomController) {
    announcePolls(classroom);
  }
}

/** Announces polls, whether their panel is open or not. */
export function announcePolls({ app, classStore, toasts }: Parts): void {
  let before = classStore.getSnapshot().polls;
  classStore.subscribe(() => {
    const [was, now] = [before, (before = classStore.getSnapshot().polls)];
    const { session } = app.get();
    if (session && now !== was && hasPolls(session)) announceNewest(was, now, toasts);
  });
}

/** The newest poll that has opened, also before the participant came, and the newest that has closed in class. */
function announceNewest(before: readonly Poll[], polls: readonly Poll[], toasts: Pick<Toasts, 'announce'>): void {
  const known = new Map(before.map(({ pollId, status }) => [pollId, status]));
  const opened = polls.findLast(({ pollId, status }) => status === 'open' && !known.has(pollId));
  const closed = polls.findLast(({ pollId, status }) => status === 'closed' && known.get(pollId) === 'open');
  if (closed) toasts.announce({ key: 'panels:polls.announcedResult', values: { question: closed.question } });
  if (opened) toasts.announce({ key: 'panels:polls.announced', values: { question: opened.question } });
}
