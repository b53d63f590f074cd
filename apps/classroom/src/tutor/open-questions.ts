import { useSyncExternalStore } from 'react';
import type { AppState } from '../app/app-store.js';
import type { ClassroomController } from '../app/classroom-controller.js';
import { useApp, usePart, usePermissions } from '../app/context.js';
import type { Toasts } from '../app/toasts.js';
import { pageVisibility } from '../class/poller.js';
import type { OpenQuestion } from '@classroom/contracts';
import { Store } from '../store.js';
import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import type { ClassroomApi } from '../session/session.js';

/** Milliseconds between two requests while the list is shown, and while only its count is. */
const LIST_POLL_MS = 15_000;
const BADGE_POLL_MS = 60_000;
/** The longest delay between two requests, in milliseconds, if the service is unreachable or does not exist. */
const MAX_POLL_MS = 10 * 60_000;

export interface QuestionsState {
  isLoaded: boolean;
  /** Without the questions that are being marked as answered. */
  questions: readonly OpenQuestion[];
  failure: ApiErrorCode | undefined;
  /** Why the latest "Answered" failed. */
  resolveFailure: ApiErrorCode | undefined;
}

interface PageVisibility {
  isVisible(): boolean;
  /** Called when the visibility changes; returns a function that removes the listener. */
  onVisibility(listener: () => void): () => void;
}

/** The class's questions that wait for a teacher. Requested regularly while there is a subscriber and the page is visible. */
export class OpenQuestions extends Store<QuestionsState> {
  private allQuestions: readonly OpenQuestion[] = [];
  private readonly resolving = new Set<string>();
  private subscribers = 0;
  private openLists = 0;
  private failures = 0;
  private requestedAt = -Infinity;
  private generation = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unwatch: (() => void) | undefined;

  constructor(
    private readonly api: Pick<ClassroomApi, 'answerQuestion' | 'listOpenQuestions' | 'resolveQuestion'>,
    private readonly visibility: PageVisibility,
  ) {
    super({ isLoaded: false, questions: [], failure: undefined, resolveFailure: undefined });
  }

  /** Adds a subscriber; the questions are requested until the returned function is called. */
  readonly subscribeAndPoll = (listener: () => void): (() => void) => {
    const unsubscribe = this.subscribe(listener);
    if ((this.subscribers += 1) === 1) {
      this.unwatch = this.visibility.onVisibility(() => this.schedule());
      this.schedule();
    }
    return () => {
      unsubscribe();
      if ((this.subscribers -= 1) > 0) return;
      this.unwatch?.();
      this.cancel();
    };
  };

  /** Call when the list is shown; call the returned function when it is hidden. */
  readonly openList = (): (() => void) => {
    this.openLists += 1;
    void this.refresh();
    return () => {
      this.openLists -= 1;
      this.schedule();
    };
  };

  /** Requests the list now, even after failures. Never rejects. */
  async refresh(): Promise<void> {
    const generation = this.cancel();
    this.requestedAt = Date.now();
    try {
      const { questions } = await this.api.listOpenQuestions();
      if (generation !== this.generation) return;
      this.failures = 0;
      this.setQuestions(questions);
    } catch (error) {
      if (generation !== this.generation) return;
      this.failures += 1;
      this.set({ failure: toErrorCode(error) });
    }
    this.schedule();
  }

  /**
   * Removes the question, with all that ask the same, from the list immediately. Restores it if the request fails. Never rejects.
   * @param answer in writing, for who asked
   * @returns whether it is resolved
   */
  async resolve(questionId: string, answer?: string): Promise<boolean> {
    this.resolving.add(questionId);
    this.set({ resolveFailure: undefined });
    this.setQuestions(this.allQuestions);
    try {
      const { questions } = await (answer === undefined
        ? this.api.resolveQuestion({ questionId })
        : this.api.answerQuestion({ questionId, answer }));
      this.resolving.delete(questionId);
      // The answer to an earlier request may still contain the question.
      this.cancel();
      this.setQuestions(questions);
      this.schedule();
      return true;
    } catch (error) {
      this.resolving.delete(questionId);
      const code = toErrorCode(error);
      const isGone = code === 'QUESTION_NOT_FOUND';
      this.set({ resolveFailure: isGone ? undefined : code });
      this.setQuestions(isGone ? this.allQuestions.filter((question) => question.questionId !== questionId) : this.allQuestions);
      return false;
    }
  }

  private setQuestions(questions: readonly OpenQuestion[]): void {
    this.allQuestions = questions;
    this.set({ isLoaded: true, failure: undefined, questions: questions.filter(({ questionId }) => !this.resolving.has(questionId)) });
  }

  private schedule(): void {
    this.cancelTimer();
    if (this.subscribers === 0 || !this.visibility.isVisible()) return;
    const period = Math.min((this.openLists > 0 ? LIST_POLL_MS : BADGE_POLL_MS) * 2 ** this.failures, MAX_POLL_MS);
    const delay = this.requestedAt + period * (0.8 + Math.random() * 0.4) - Date.now();
    this.timer = setTimeout(() => void this.refresh(), Math.max(0, delay));
  }

  /** Cancels the timer and ignores answers to requests in progress. */
  private cancel(): number {
    this.cancelTimer();
    return (this.generation += 1);
  }

  private cancelTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

const toErrorCode = (error: unknown): ApiErrorCode => (error instanceof ApiError ? error.code : 'NO_ANSWER');

/** Questions that wait for a teacher. Only participants who answer them get the list. */
export function announceQuestions(
  { app, toasts }: { app: Store<AppState>; toasts: Pick<Toasts, 'announce'> },
  openQuestions: Pick<OpenQuestions, 'get' | 'subscribe'>,
): void {
  let before = openQuestions.get();
  openQuestions.subscribe(() => {
    const [was, now] = [before, (before = openQuestions.get())];
    const known = new Set(was.questions.map(({ questionId }) => questionId));
    const isNew = was.isLoaded && now.questions.some(({ questionId }) => !known.has(questionId));
    if (isNew && app.get().tab !== 'tutor') toasts.announce({ key: 'announcement.questions', values: { count: now.questions.length } });
  });
}

/** The open questions of a stay. */
export class ClassQuestions extends OpenQuestions {
  constructor(classroom: ClassroomController) {
    super(classroom.api, pageVisibility);
    announceQuestions(classroom, this);
  }
}

const noSubscription = () => () => undefined;

/** The waiting questions, requested while this component is mounted in class; for participants who may answer them. */
export function useOpenQuestions(): QuestionsState {
  const openQuestions = usePart(ClassQuestions);
  const { manageParticipants } = usePermissions();
  const isIn = useApp(({ state }) => state === 'connected' || state === 'reconnecting');
  return useSyncExternalStore(manageParticipants && isIn ? openQuestions.subscribeAndPoll : noSubscription, openQuestions.get);
}
