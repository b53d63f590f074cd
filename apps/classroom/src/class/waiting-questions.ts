import type { OpenQuestion } from '@classroom/contracts';
import { Store } from '../store/store.js';
import { Refusal, type RefusalCode } from '../session/refusal.js';
import type { ClassroomApi } from './api.js';

/** Milliseconds between two requests while the list is shown, and while only its count is. */
const OPEN_MS = 15_000;
const BADGE_MS = 60_000;
/** The longest delay between two requests, in milliseconds, if the service is unreachable or does not exist. */
const LONGEST_MS = 10 * 60_000;

export interface QuestionsState {
  isLoaded: boolean;
  /** Without the questions that are being marked as answered. */
  questions: readonly OpenQuestion[];
  failure: RefusalCode | undefined;
  /** Why the latest "Answered" failed. */
  undone: RefusalCode | undefined;
}

interface Page {
  isVisible(): boolean;
  /** Called when the visibility changes; returns a function that removes the listener. */
  onVisibility(listener: () => void): () => void;
}

/** The class's questions that wait for a teacher. Requested regularly while there is a subscriber and the page is visible. */
export class WaitingQuestions extends Store<QuestionsState> {
  private all: readonly OpenQuestion[] = [];
  private readonly resolving = new Set<string>();
  private subscribers = 0;
  private readers = 0;
  private failures = 0;
  private askedAt = -Infinity;
  private round = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopWatching: (() => void) | undefined;

  constructor(
    private readonly api: Pick<ClassroomApi, 'listOpenQuestions' | 'resolveQuestion'>,
    private readonly page: Page,
  ) {
    super({ isLoaded: false, questions: [], failure: undefined, undone: undefined });
  }

  /** Adds a subscriber; the questions are requested until the returned function is called. */
  readonly watch = (listener: () => void): (() => void) => {
    const unsubscribe = this.subscribe(listener);
    if ((this.subscribers += 1) === 1) {
      this.stopWatching = this.page.onVisibility(() => this.schedule());
      this.schedule();
    }
    return () => {
      unsubscribe();
      if ((this.subscribers -= 1) > 0) return;
      this.stopWatching?.();
      this.cancel();
    };
  };

  /** Call when the list is shown; call the returned function when it is hidden. */
  readonly open = (): (() => void) => {
    this.readers += 1;
    void this.ask();
    return () => {
      this.readers -= 1;
      this.schedule();
    };
  };

  /** Requests the list now, even after failures. Never rejects. */
  async ask(): Promise<void> {
    const round = this.cancel();
    this.askedAt = Date.now();
    try {
      const { questions } = await this.api.listOpenQuestions();
      if (round !== this.round) return;
      this.failures = 0;
      this.show(questions);
    } catch (error) {
      if (round !== this.round) return;
      this.failures += 1;
      this.set({ failure: codeOf(error) });
    }
    this.schedule();
  }

  /** Removes the question, with all that ask the same, from the list immediately. Restores it if the request fails. Never rejects. */
  async resolve(questionId: string): Promise<void> {
    this.resolving.add(questionId);
    this.set({ undone: undefined });
    this.show(this.all);
    try {
      const { questions } = await this.api.resolveQuestion({ questionId });
      this.resolving.delete(questionId);
      // The answer to an earlier request may still contain the question.
      this.cancel();
      this.show(questions);
      this.schedule();
    } catch (error) {
      this.resolving.delete(questionId);
      const code = codeOf(error);
      const isGone = code === 'QUESTION_NOT_FOUND';
      this.set({ undone: isGone ? undefined : code });
      this.show(isGone ? this.all.filter((question) => question.questionId !== questionId) : this.all);
    }
  }

  private show(questions: readonly OpenQuestion[]): void {
    this.all = questions;
    this.set({ isLoaded: true, failure: undefined, questions: questions.filter(({ questionId }) => !this.resolving.has(questionId)) });
  }

  private schedule(): void {
    this.cancelTimer();
    if (this.subscribers === 0 || !this.page.isVisible()) return;
    const period = Math.min((this.readers > 0 ? OPEN_MS : BADGE_MS) * 2 ** this.failures, LONGEST_MS);
    const rest = this.askedAt + period * (0.8 + Math.random() * 0.4) - Date.now();
    this.timer = setTimeout(() => void this.ask(), Math.max(0, rest));
  }

  /** Cancels the timer and ignores answers to requests in progress. */
  private cancel(): number {
    this.cancelTimer();
    return (this.round += 1);
  }

  private cancelTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

const codeOf = (error: unknown): RefusalCode => (error instanceof Refusal ? error.code : 'NO_ANSWER');
