import type { ClassroomApi, Input, SessionClient } from '../session/session.js';
import { Poller } from '../class/poller.js';
import { ROUTES } from '../session/routes.js';
import { Store } from '../store.js';
import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { readAnswer, type AnswerPart } from './stream.js';
import type { TutorTurn } from '@classroom/contracts';

/**
 * How long to wait for the first part of an answer, and then between two parts, in milliseconds. The first is longer than the
 * service's own timeouts for a busy chat and a slow model.
 */
const FIRST_PART_TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 60_000;
/** The first and the longest delay between two loads while the service is unreachable, in milliseconds. */
const MIN_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** How often to look for the teacher's answer while one is awaited, in milliseconds. */
const TEACHER_MS = 15_000;
const STOPPED = 'stopped by the student';

/** A written question, or a WAV in base64. */
export type Question = { text: string } | { audio: string };

export interface DialogueState {
  isLoaded: boolean;
  /** Why the dialogue could not be loaded. */
  failure: ApiErrorCode | undefined;
  canSpeak: boolean;
  canListen: boolean;
  isOffline: boolean;
  exchanges: readonly Exchange[];
  /** Whether the student wants the answers read aloud. */
  readsAloud: boolean;
  isPlaying: boolean;
  /** The key of the exchange whose sound can be replayed. */
  replayableKey: string | undefined;
  /** A complete answer, to be announced to screen readers. */
  announcement: { sequence: number; answer: string } | undefined;
}

type Dialogue = Awaited<ReturnType<ClassroomApi['getTutorDialogue']>>;

interface Options {
  api: Pick<ClassroomApi, 'askTeacher' | 'getTutorDialogue'>;
  stream: SessionClient['stream'];
  /** Called once for each answer of a teacher that arrives while the page awaits it. */
  onTeacherAnswer(answer: NonNullable<Exchange['teacherAnswer']>): void;
  audioPlayer: { resume(): void; play(wav: Uint8Array<ArrayBuffer>): void; stop(): void; release(): void };
}

/** One student's dialogue with the tutor: the exchanges that the service stores, and the answer in progress. */
export class TutorDialogue extends Store<DialogueState> {
  private questionCount = 0;
  private running: AbortController | undefined;
  private loading: Promise<void> | undefined;
  /** Questions that may be asked again, by exchange key. */
  private readonly questions = new Map<string, Question>();
  /** Looks for the teacher's answer while one is awaited, also while the panel is closed. */
  private readonly teacher: Poller<Dialogue>;
  private audioParts: Uint8Array<ArrayBuffer>[] = [];

  constructor(private readonly options: Options) {
    super({
      isLoaded: false,
      failure: undefined,
      canSpeak: false,
      canListen: false,
      isOffline: false,
      exchanges: [],
      readsAloud: false,
      isPlaying: false,
      replayableKey: undefined,
      announcement: undefined,
    });
    this.teacher = new Poller({
      ask: () => options.api.getTutorDialogue(),
      intervalMs: TEACHER_MS,
      onAnswer: (answer) => this.apply(answer),
      onRejected: () => undefined,
    });
  }

  /** Loads the dialogue from the service. Never rejects. */
  load(): Promise<void> {
    this.loading ??= this.fetchDialogue().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Loads the dialogue, and retries while the service is unreachable, until the returned function is called. */
  open(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const load = async (pause: number) => {
      await this.load();
      const { failure } = this.get();
      if (!isOpen || !failure || !new ApiError(failure).isRetryable) return;
      timer = setTimeout(() => void load(Math.min(pause * 2, MAX_RETRY_MS)), pause);
    };
    void load(MIN_RETRY_MS);
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }

  /** Asks a question, unless another one is in progress. Never rejects. */
  async ask(question: Question): Promise<void> {
    if (this.running) return;
    const running = new AbortController();
    this.running = running;
    const key = `asked-${(this.questionCount += 1)}`;
    const isSpoken = 'audio' in question;
    const text = 'text' in question ? question.text : '';
    const readsAnswer = this.get().readsAloud && this.get().canSpeak;
    const exchange: Exchange = {
      key,
      questionId: undefined,
      question: text,
      isSpoken,
      answer: '',
      state: 'asking',
      failure: undefined,
      isForTeacher: false,
    };
    this.questions.set(key, question);
    this.options.audioPlayer.stop();
    if (readsAnswer) this.options.audioPlayer.resume();
    this.audioParts = [];
    this.set({ exchanges: [...this.get().exchanges, exchange], replayableKey: undefined });
    try {
      await this.receiveAnswer(key, { ...question, responseModality: readsAnswer ? 'both' : 'text' }, running);
      this.change(key, { state: 'done' });
      this.questions.delete(key);
      if (!readsAnswer) this.announce(key);
    } catch (error) {
      const isStopped = running.signal.reason === STOPPED;
      this.change(
        key,
        isStopped ? { state: 'stopped' } : { state: 'failed', failure: error instanceof ApiError ? error.code : 'NO_ANSWER' },
      );
    } finally {
      this.running = undefined;
    }
    const answered = this.get().exchanges.find((one) => one.key === key);
    // Only the service knows the text of a spoken question, and the question's id if the stream did not contain it.
    if (answered?.answer && (!answered.questionId || !answered.question)) await this.load();
  }

  /** Stops the answer in progress and its sound. */
  stop(): void {
    this.running?.abort(STOPPED);
    this.options.audioPlayer.stop();
  }

  /** Call when the panel closes. */
  close(): void {
    this.stop();
    this.options.audioPlayer.release();
  }

  async retry(key: string): Promise<void> {
    const question = this.questions.get(key);
    if (!question || this.running) return;
    this.questions.delete(key);
    this.set({ exchanges: this.get().exchanges.filter((exchange) => exchange.key !== key) });
    await this.ask(question);
  }

  /** @throws ApiError */
  async askTeacher({ key, questionId = '' }: Exchange): Promise<void> {
    await this.options.api.askTeacher({ questionId });
    this.change(key, { isForTeacher: true });
    this.teacher.start();
  }

  setReadsAloud(readsAloud: boolean): void {
    this.set({ readsAloud });
    if (readsAloud) this.options.audioPlayer.resume();
    else this.options.audioPlayer.stop();
  }

  /** Plays the sound of the latest answer again. */
  replay(): void {
    this.options.audioPlayer.stop();
    for (const sound of this.audioParts) this.options.audioPlayer.play(sound);
  }

  setPlaying(isPlaying: boolean): void {
    this.set({ isPlaying });
  }

  private async receiveAnswer(key: string, body: Input<'askTutorInClass'>, running: AbortController): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => running.abort(), ms);
    };
    restartTimer(FIRST_PART_TIMEOUT_MS);
    try {
      for await (const part of readAnswer(await this.options.stream(ROUTES.askTutorInClass, body, running.signal))) {
        running.signal.throwIfAborted();
        this.applyPart(key, part);
        restartTimer(IDLE_TIMEOUT_MS);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private applyPart(key: string, part: AnswerPart): void {
    if (part.kind === 'begun') this.change(key, { questionId: part.questionId });
    else if (part.kind === 'text') this.change(key, { state: 'answering', answer: this.answerOf(key) + part.text });
    else {
      this.audioParts.push(part.wav);
      this.set({ replayableKey: key });
      this.options.audioPlayer.play(part.wav);
    }
  }

  private announce(key: string): void {
    this.set({ announcement: { sequence: this.questionCount, answer: this.answerOf(key) } });
  }

  private answerOf(key: string): string {
    return this.get().exchanges.find((exchange) => exchange.key === key)?.answer ?? '';
  }

  private change(key: string, change: Partial<Exchange>): void {
    this.set({ exchanges: this.get().exchanges.map((exchange) => (exchange.key === key ? { ...exchange, ...change } : exchange)) });
  }

  private async fetchDialogue(): Promise<void> {
    try {
      this.apply(await this.options.api.getTutorDialogue());
    } catch (error) {
      this.set({ failure: error instanceof ApiError ? error.code : 'NO_ANSWER' });
    }
  }

  private apply({ turns, ...rest }: Dialogue): void {
    const before = this.awaited();
    this.set({ isLoaded: true, failure: undefined, ...rest, exchanges: mergeExchanges(this.get().exchanges, turns) });
    for (const { key, teacherAnswer } of this.get().exchanges)
      if (teacherAnswer && before.has(key) && before.get(key) !== teacherAnswer.answeredAt) this.options.onTeacherAnswer(teacherAnswer);
    if (this.awaited().size > 0) this.teacher.start();
    else this.teacher.stop();
  }

  /** The exchanges that wait for a teacher, with when one last answered in writing. */
  private awaited(): Map<string, string | undefined> {
    const waiting = this.get().exchanges.filter(({ isForTeacher }) => isForTeacher);
    return new Map(waiting.map(({ key, teacherAnswer }) => [key, teacherAnswer?.answeredAt]));
  }
}

/** One of the student's questions with its answer. */
export interface Exchange {
  key: string;
  /** The service's id of the question; undefined until the service has sent it. */
  questionId: string | undefined;
  /** Empty until a spoken question has been transcribed. */
  question: string;
  isSpoken: boolean;
  answer: string;
  state: 'asking' | 'answering' | 'done' | 'stopped' | 'failed';
  failure: ApiErrorCode | undefined;
  /** The teacher was asked to answer and has not done so yet. */
  isForTeacher: boolean;
  /** What a teacher answered in writing. */
  teacherAnswer?: TutorTurn['teacherAnswer'];
}

export const isPending = ({ state }: Exchange) => state === 'asking' || state === 'answering';

/** Merges the service's turns, in their order, with what this page knows of them. Exchanges that the service does not list (yet) follow. */
export function mergeExchanges(known: readonly Exchange[], turns: readonly TutorTurn[]): Exchange[] {
  const matched = new Set<Exchange>();
  const merged = turns.map((turn) => {
    const own =
      known.find(({ questionId }) => questionId === turn.questionId) ??
      known.find((exchange) => !matched.has(exchange) && mayMatch(exchange, turn));
    if (!own) return fromTurn(turn);
    matched.add(own);
    return withTurn(own, turn);
  });
  // The service omits old turns. An exchange after the newest known turn was asked while the service's answer was in transit.
  const newest = known.findLastIndex((exchange) => matched.has(exchange));
  return [...merged, ...known.filter((exchange, i) => !matched.has(exchange) && (exchange.questionId === undefined || i > newest))];
}

function mayMatch(exchange: Exchange, turn: TutorTurn): boolean {
  return exchange.questionId === undefined && !isPending(exchange) && (exchange.question === turn.question || exchange.question === '');
}

function fromTurn({ questionId, question, answer, isForTeacher, teacherAnswer }: TutorTurn): Exchange {
  const own = { isSpoken: false, state: 'done', failure: undefined } as const;
  return { key: questionId, questionId, question, answer, isForTeacher, teacherAnswer, ...own };
}

function withTurn(own: Exchange, turn: TutorTurn): Exchange {
  const { questionId, question, isForTeacher, teacherAnswer } = turn;
  const answer = own.state === 'done' ? turn.answer || own.answer : own.answer;
  return { ...own, questionId, question: own.question || question, answer, isForTeacher, teacherAnswer };
}
