import type { ClassroomApi, Input } from '../../class/api.js';
import { ROUTES } from '../../session/routes.js';
import { Store } from '../../store/store.js';
import { Refusal, type RefusalCode } from '../../session/refusal.js';
import type { SessionClient } from '../../session/session.js';
import { readAnswer, type AnswerPart } from '../wire/answer.js';
import { merge, type Exchange } from './exchange.js';

/**
 * How long to wait for the first part of an answer, and then between two parts, in milliseconds. The first is longer than the
 * service's own timeouts for a busy chat and a slow model.
 */
const FIRST_MS = 120_000;
const IDLE_MS = 60_000;
/** The first and the longest delay between two loads while the service is unreachable, in milliseconds. */
const RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
const STOPPED = 'stopped by the student';

/** A written question, or a WAV in base64. */
export type Question = { text: string } | { audio: string };

export interface DialogueState {
  isLoaded: boolean;
  /** Why the dialogue could not be loaded. */
  failure: RefusalCode | undefined;
  canSpeak: boolean;
  canListen: boolean;
  isOffline: boolean;
  exchanges: readonly Exchange[];
  /** Whether the student wants the answers read aloud. */
  readsAloud: boolean;
  isPlaying: boolean;
  /** The key of the exchange whose sound can be replayed. */
  heard: string | undefined;
  /** A complete answer, to be announced to screen readers. */
  said: { nth: number; answer: string } | undefined;
}

interface Options {
  api: Pick<ClassroomApi, 'askTeacher' | 'getTutorDialogue'>;
  stream: SessionClient['stream'];
  loudspeaker: { wake(): void; play(wav: Uint8Array<ArrayBuffer>): void; stop(): void; release(): void };
}

/** One student's dialogue with the tutor: the exchanges that the service stores, and the answer in progress. */
export class TutorDialogue extends Store<DialogueState> {
  private asked = 0;
  private running: AbortController | undefined;
  private loading: Promise<void> | undefined;
  /** Questions that may be asked again, by exchange key. */
  private readonly questions = new Map<string, Question>();
  private sounds: Uint8Array<ArrayBuffer>[] = [];

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
      heard: undefined,
      said: undefined,
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
      if (!isOpen || !failure || !new Refusal(failure).isPassing) return;
      timer = setTimeout(() => void load(Math.min(pause * 2, LONGEST_RETRY_MS)), pause);
    };
    void load(RETRY_MS);
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
    const key = `asked-${(this.asked += 1)}`;
    const isSpoken = 'audio' in question;
    const text = 'text' in question ? question.text : '';
    const isAloud = this.get().readsAloud && this.get().canSpeak;
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
    this.options.loudspeaker.stop();
    if (isAloud) this.options.loudspeaker.wake();
    this.sounds = [];
    this.set({ exchanges: [...this.get().exchanges, exchange], heard: undefined });
    try {
      await this.hear(key, { ...question, responseModality: isAloud ? 'both' : 'text' }, running);
      this.change(key, { state: 'done' });
      this.questions.delete(key);
      if (!isAloud) this.say(key);
    } catch (error) {
      const isStopped = running.signal.reason === STOPPED;
      this.change(
        key,
        isStopped ? { state: 'stopped' } : { state: 'failed', failure: error instanceof Refusal ? error.code : 'NO_ANSWER' },
      );
    } finally {
      this.running = undefined;
    }
    const asked = this.get().exchanges.find((one) => one.key === key);
    // Only the service knows the text of a spoken question, and the question's id if the stream did not contain it.
    if (asked?.answer && (!asked.questionId || !asked.question)) await this.load();
  }

  /** Stops the answer in progress and its sound. */
  stop(): void {
    this.running?.abort(STOPPED);
    this.options.loudspeaker.stop();
  }

  /** Call when the panel closes. */
  leave(): void {
    this.stop();
    this.options.loudspeaker.release();
  }

  async retry(key: string): Promise<void> {
    const question = this.questions.get(key);
    if (!question || this.running) return;
    this.questions.delete(key);
    this.set({ exchanges: this.get().exchanges.filter((exchange) => exchange.key !== key) });
    await this.ask(question);
  }

  /** @throws Refusal */
  async askTeacher({ key, questionId = '' }: Exchange): Promise<void> {
    await this.options.api.askTeacher({ questionId });
    this.change(key, { isForTeacher: true });
  }

  setReadsAloud(readsAloud: boolean): void {
    this.set({ readsAloud });
    if (readsAloud) this.options.loudspeaker.wake();
    else this.options.loudspeaker.stop();
  }

  /** Plays the sound of the latest answer again. */
  replay(): void {
    this.options.loudspeaker.stop();
    for (const sound of this.sounds) this.options.loudspeaker.play(sound);
  }

  playing(isPlaying: boolean): void {
    this.set({ isPlaying });
  }

  private async hear(key: string, body: Input<'askTutorInClass'>, running: AbortController): Promise<void> {
    let patience: ReturnType<typeof setTimeout> | undefined;
    const wait = (ms: number) => {
      clearTimeout(patience);
      patience = setTimeout(() => running.abort(), ms);
    };
    wait(FIRST_MS);
    try {
      for await (const part of readAnswer(await this.options.stream(ROUTES.askTutorInClass, body, running.signal))) {
        running.signal.throwIfAborted();
        this.take(key, part);
        wait(IDLE_MS);
      }
    } finally {
      clearTimeout(patience);
    }
  }

  private take(key: string, part: AnswerPart): void {
    if (part.kind === 'begun') this.change(key, { questionId: part.questionId });
    else if (part.kind === 'text') this.change(key, { state: 'answering', answer: this.answerOf(key) + part.text });
    else {
      this.sounds.push(part.wav);
      this.set({ heard: key });
      this.options.loudspeaker.play(part.wav);
    }
  }

  private say(key: string): void {
    this.set({ said: { nth: this.asked, answer: this.answerOf(key) } });
  }

  private answerOf(key: string): string {
    return this.get().exchanges.find((exchange) => exchange.key === key)?.answer ?? '';
  }

  private change(key: string, change: Partial<Exchange>): void {
    this.set({ exchanges: this.get().exchanges.map((exchange) => (exchange.key === key ? { ...exchange, ...change } : exchange)) });
  }

  private async fetchDialogue(): Promise<void> {
    try {
      const { turns, ...rest } = await this.options.api.getTutorDialogue();
      this.set({ isLoaded: true, failure: undefined, ...rest, exchanges: merge(this.get().exchanges, turns) });
    } catch (error) {
      this.set({ failure: error instanceof Refusal ? error.code : 'NO_ANSWER' });
    }
  }
}
