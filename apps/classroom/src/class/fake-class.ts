import type { ChatMessage, ClassState, Poll, Reaction } from '@classroom/contracts';
import { Refusal, type RefusalCode } from '../session/refusal.js';
import type { Call } from '../session/session.js';
import { createClassroomApi } from './api.js';

/** The wall clock of the specs; the fake timers advance it. */
export const START = Date.parse('2026-09-01T08:00:00.000Z');
export const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

export const someone = (uid: string) => ({ uid, name: `Name of ${uid}` });
export const message = (version: number, id = `m${version}`): ChatMessage => ({
  id,
  ...someone('ada'),
  role: 'STUDENT',
  text: `text ${version}`,
  sentAt: at(version),
  version,
});
export const hand = (uid: string, seconds = 0) => ({ ...someone(uid), raisedAt: at(seconds) });
export const reaction = (id: string, seconds = 0): Reaction => ({ id, ...someone('ada'), emoji: '👏', sentAt: at(seconds) });
export const poll = (pollId: string, votes: [number, number] = [0, 0], status: Poll['status'] = 'open'): Poll => ({
  pollId,
  question: 'Why?',
  options: votes.map((count, index) => ({ text: `answer ${index}`, votes: count })),
  status,
  totalVotes: votes[0] + votes[1],
  createdBy: someone('tom'),
  createdAt: at(0),
  closedAt: status === 'closed' ? at(60) : null,
});
export const ROOM = { title: 'Algebra', roomDescription: null, maxParticipants: 30, emptyTimeout: 300 };

interface Question {
  method: string;
  path: string;
  body: unknown;
  answer(data: unknown): Promise<void>;
  refuse(code: RefusalCode): Promise<void>;
}

/** A fake service: the spec answers every request itself. */
export class FakeService {
  /** Requests without an answer yet, oldest first. */
  readonly open: Question[] = [];

  private readonly call: Call = <T>(route: string, body?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const [method = '', path = ''] = route.split(' ');
      const settle = (how: () => void) => {
        this.open.splice(this.open.indexOf(question), 1);
        how();
        return settled();
      };
      const question: Question = {
        method,
        path,
        body,
        answer: (data) => settle(() => resolve(data as T)),
        refuse: (code) => settle(() => reject(new Refusal(code))),
      };
      this.open.push(question);
    });
  readonly api = createClassroomApi(this.call);

  /** @throws Error if there is no open request for this path */
  question(path: string): Question {
    const found = this.open.find((question) => question.path.startsWith(path));
    if (!found) throw new Error(`${path} is not asked; open: ${this.open.map((question) => question.path).join(', ') || 'nothing'}`);
    return found;
  }

  answerState(state: Partial<ClassState>): Promise<void> {
    return this.question('/v1/classroom/state').answer({ base: 0, version: 0, ownVotes: {}, ...state });
  }
}

/** Lets all pending promise callbacks run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
