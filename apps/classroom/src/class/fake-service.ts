import type { ChatMessage, ClassState, Poll, Reaction } from '@classroom/contracts';
import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { type Call, createClassroomApi } from '../session/session.js';

/** The wall clock of the specs; the fake timers advance it. */
export const START = Date.parse('2026-09-01T08:00:00.000Z');
export const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

export const user = (uid: string) => ({ uid, name: `Name of ${uid}` });
export const message = (version: number, id = `m${version}`): ChatMessage => ({
  id,
  ...user('ada'),
  role: 'STUDENT',
  text: `text ${version}`,
  sentAt: at(version),
  version,
});
export const hand = (uid: string, seconds = 0) => ({ ...user(uid), raisedAt: at(seconds) });
export const reaction = (id: string, seconds = 0): Reaction => ({ id, ...user('ada'), emoji: '👏', sentAt: at(seconds) });
export const poll = (pollId: string, votes: [number, number] = [0, 0], status: Poll['status'] = 'open'): Poll => ({
  pollId,
  question: 'Why?',
  options: votes.map((count, index) => ({ text: `answer ${index}`, votes: count })),
  status,
  totalVotes: votes[0] + votes[1],
  createdBy: user('tom'),
  createdAt: at(0),
  closedAt: status === 'closed' ? at(60) : null,
});
export const ROOM = { title: 'Algebra', roomDescription: null, maxParticipants: 30, emptyTimeout: 300 };

interface PendingRequest {
  method: string;
  path: string;
  body: unknown;
  respond(data: unknown): Promise<void>;
  fail(code: ApiErrorCode): Promise<void>;
}

/** A fake service: the spec answers every request itself. */
export class FakeService {
  /** Requests without an answer yet, oldest first. */
  readonly pending: PendingRequest[] = [];

  private readonly call: Call = <T>(route: string, body?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const [method = '', path = ''] = route.split(' ');
      const settle = (complete: () => void) => {
        this.pending.splice(this.pending.indexOf(request), 1);
        complete();
        return flushPromises();
      };
      const request: PendingRequest = {
        method,
        path,
        body,
        respond: (data) => settle(() => resolve(data as T)),
        fail: (code) => settle(() => reject(new ApiError(code))),
      };
      this.pending.push(request);
    });
  readonly api = createClassroomApi(this.call);

  /** @throws Error if there is no open request for this path */
  request(path: string): PendingRequest {
    const found = this.pending.find((request) => request.path.startsWith(path));
    if (!found)
      throw new Error(`${path} was not requested; pending: ${this.pending.map((request) => request.path).join(', ') || 'nothing'}`);
    return found;
  }

  respondState(state: Partial<ClassState>): Promise<void> {
    return this.request('/v1/classroom/state').respond({ base: 0, version: 0, ownVotes: {}, ...state });
  }
}

/** Lets all pending promise callbacks run. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
