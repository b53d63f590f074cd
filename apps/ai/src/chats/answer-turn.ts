import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError, AUDIO_MIME_TYPE, invalidField, type AiEvent } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { metrics } from '@opentelemetry/api';
import type { ChatAnswer, Sound } from '../models/ai-provider.js';
import { joinSounds, writeWav } from '../sound/wav.js';
import { CallLog, type BegunAnswer } from '../usage/call-log.js';
import type { Outcome } from '../usage/usage-entry.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { ChatLeases, type Lease } from './chat-leases.js';
import type { ChatName } from './chat-name.js';
import { ChatsRepository } from './chats.repository.js';
import { LiveTurns } from './live-turns.js';
import { clean, Remember, type Memory } from './remember.js';
import { speakAlong } from './speak-along.js';
import type { TurnPlan } from './turn-plan.js';
import type { EndedTurn, NewTurn } from './turn.js';
import { UnknownMark } from './unknown-mark.js';

const WRITE_ATTEMPTS = 4;
const WRITE_PAUSE_MS = 500;

const HEARD_OFFLINE =
  'The audio was transcribed by the embedded recognizer, which knows English alone and makes mistakes: no speech-to-text model is configured.';
const UNSPOKEN = 'Some of the text has no audio: the text-to-speech model did not answer.';
/** Starts the answer's text, so that the chat's history contains it too. */
const UNSEEN = 'I can’t see pictures with what is configured here, so I did not look at yours. ';

const turns = metrics
  .getMeter('classroom')
  .createCounter('classroom_ai_turns_total', { description: 'Turns answered, by kind and outcome' });

/** State of a running turn. */
interface Progress {
  opened?: NewTurn;
  begun?: BegunAnswer;
  said: string;
  isBrokenOff: boolean;
  mark: UnknownMark | undefined;
  /** For the reader: why the answer is less than what was asked for. */
  messages: Set<string>;
}

/**
 * Runs one turn of a chat, from the question to the usage, as lines of JSON. However the turn ends, the request to the model ends too, and
 * the answer and its usage are stored before the chat's next turn begins.
 */
@Injectable()
export class AnswerTurn {
  constructor(
    private readonly database: Database,
    private readonly chats: ChatsRepository,
    private readonly leases: ChatLeases,
    private readonly remember: Remember,
    private readonly usage: UsageRepository,
    private readonly live: LiveTurns,
    private readonly clock: Clock,
  ) {}

  /**
   * @param chat key of the chat; turns with the same key are answered in the order of their arrival
   * @param prepare checks whether the turn may be answered; its signal fires when the reader leaves or the process stops
   * @throws AppError CHAT_BUSY, AI_UNAVAILABLE, VALIDATION_FAILED (a question without text), SERVICE_UNAVAILABLE
   */
  async *execute(chat: string, prepare: (signal: AbortSignal) => Promise<TurnPlan>, reader: AbortSignal): AsyncGenerator<string> {
    const startedAt = performance.now();
    const cut = new AbortController();
    const leave = () => cut.abort(reader.reason);
    const over = this.live.begin(cut);
    const place = this.leases.place(chat);
    reader.addEventListener('abort', leave, { once: true });
    if (reader.aborted) leave();
    try {
      const plan = await prepare(cut.signal);
      const lease = await this.leases.acquire(plan.chat, place, cut);
      try {
        yield* this.inLease(plan, lease, cut, startedAt);
      } finally {
        lease.end();
      }
    } finally {
      place.leave();
      reader.removeEventListener('abort', leave);
      over();
    }
  }

  private async *inLease(plan: TurnPlan, lease: Lease, cut: AbortController, startedAt: number): AsyncGenerator<string> {
    const { signal } = cut;
    const turnId = randomUUID();
    const log = new CallLog(plan.ai, causeOf(plan.chat, lease.chat.chatKey, turnId), this.clock);
    const messages = new Set(plan.wanted.message ? [plan.wanted.message] : []);
    const progress: Progress = { said: '', isBrokenOff: false, messages, mark: plan.isMarked ? new UnknownMark() : undefined };
    let memory: Memory | undefined;
    let instructions = '';
    // The outcome when the reader stops reading in the middle.
    let outcome: Outcome = 'cut_off';
    try {
      memory = await this.remember.of(lease.chat);
      for (const { turnId: lost, question } of memory.dead) log.addLost(lost, { turns: [], question });
      const question = await this.hear(plan, progress, log, signal);
      instructions = await plan.instructions(question);
      const { given } = plan;
      const turn = {
        turnId,
        chatKey: lease.chat.chatKey,
        dialogIndex: lease.chat.nextIndex,
        question,
        hasAudio: !!given.wav,
        hasImage: !!given.image,
      };
      progress.opened = await this.open(plan, lease, { ...turn, askedAt: this.clock.now() });
      const request = { ...this.remember.request(memory, instructions, question), ...(given.image ? { image: given.image } : {}) };
      progress.begun = await log.chat(request, signal);
      yield line(begunEvent(plan, progress.opened, progress.begun, progress.messages));
      progress.messages.clear();
      for await (const event of this.events(plan, progress.begun, progress, log, signal)) yield line(event);
      signal.throwIfAborted();
      outcome = 'finished';
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      outcome = 'failed';
      throw error;
    } finally {
      progress.begun?.end(outcome);
      // The signal's reason is an AppError unless the reader left.
      progress.isBrokenOff = outcome === 'failed' || (outcome === 'cut_off' && signal.reason instanceof AppError);
      // Stops speech synthesis that is still running.
      cut.abort();
      await log.settled();
      const ended = await this.finish(plan, lease, progress, outcome, log);
      turns.add(1, { kind: plan.chat.kind, outcome });
      if (ended) plan.after?.(ended);
      if (ended && memory && outcome === 'finished') {
        this.remember.after(plan.ai, log.cause, lease.chat, memory, { ...ended, state: outcome }, instructions);
      }
    }
    yield line({
      type: 'usage',
      usage: { ...log.total(), latencyMs: Math.round(performance.now() - startedAt) },
      ...messageOf(progress.messages),
    });
  }

  private async hear({ given, ai }: TurnPlan, { messages }: Progress, log: CallLog, signal: AbortSignal): Promise<string> {
    const { text, wav } = given;
    const heard = wav && (await log.call('transcription', signal, () => ai.provider.transcribe(wav, signal)));
    if (heard?.by.provider === 'offline') messages.add(HEARD_OFFLINE);
    const question = clean([text, heard?.text.trim()].filter(Boolean).join('\n\n'));
    if (question === '') throw invalidField('audio', 'has no words in it');
    return question;
  }

  private async open(plan: TurnPlan, { holder }: Lease, turn: NewTurn): Promise<NewTurn> {
    await this.database.transaction(async (tx) => {
      if (!(await this.chats.open(tx, turn, holder))) throw new AppError('SERVICE_UNAVAILABLE');
      await plan.opened?.(tx, turn);
    });
    return turn;
  }

  private async *events(
    plan: TurnPlan,
    { answer }: BegunAnswer,
    progress: Progress,
    log: CallLog,
    signal: AbortSignal,
  ): AsyncGenerator<AiEvent> {
    const { responseModality, isWhole } = plan.wanted;
    const words = shown(answer, progress);
    if (responseModality === 'text') {
      for await (const text of words) yield { type: 'text', text };
      return;
    }
    const sounds: Sound[] = [];
    for await (const said of speakAlong(words, (sentence) => this.speak(plan, sentence, progress, log, signal))) {
      if ('sound' in said && isWhole) sounds.push(said.sound);
      else if ('sound' in said) yield audioEvent(said.sound);
      else if (isWhole || responseModality === 'both') yield { type: 'text', text: said.text };
    }
    if (sounds.length > 0) yield audioEvent(joinSounds(sounds));
  }

  /** Returns undefined if the sentence can't be spoken and the reader receives the text anyway. */
  private async speak(
    { ai, wanted }: TurnPlan,
    sentence: string,
    { messages }: Progress,
    log: CallLog,
    signal: AbortSignal,
  ): Promise<Sound | undefined> {
    try {
      return (await log.call('speech', signal, () => ai.provider.speak(sentence.trim(), wanted.voiceName, signal))).sound;
    } catch (error) {
      const isTextEnough = wanted.responseModality === 'both' && error instanceof AppError && error.kind === 'unavailable';
      if (signal.aborted || !isTextEnough) throw error;
      logger.warn({ err: error }, 'speech synthesis failed; sent text only');
      messages.add(UNSPOKEN);
      return undefined;
    }
  }

  /**
   * Stores the turn and its usage and releases the chat's lease, in one transaction. Retries up to three times while the database is
   * unreachable.
   */
  private async finish(
    plan: TurnPlan,
    { chat, holder }: Lease,
    progress: Progress,
    outcome: Outcome,
    log: CallLog,
  ): Promise<EndedTurn | undefined> {
    const { opened, said, mark, isBrokenOff } = progress;
    const ended = opened && { ...opened, outcome, answer: clean(said), isUnknown: mark?.isUnknown ?? false, isBrokenOff };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.database.transaction(async (tx) => {
          if (ended) {
            await this.chats.finish(tx, ended.turnId, outcome, ended.answer, this.clock.now());
            await plan.ended?.(tx, ended);
          }
          await this.usage.add(tx, log.entries);
          await this.chats.release(tx, chat.chatKey, holder);
        });
        return ended;
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS || !(error instanceof AppError)) throw error;
        await pause(WRITE_PAUSE_MS * attempt);
      }
    }
  }
}

const line = (event: AiEvent) => `${JSON.stringify(event)}\n`;

const audioEvent = (sound: Sound): AiEvent => ({ type: 'audio', audio: writeWav(sound).toString('base64'), mimeType: AUDIO_MIME_TYPE });

const messageOf = (messages: ReadonlySet<string>) => (messages.size > 0 ? { message: [...messages].join(' ') } : {});

const begunEvent = (
  { chat, given, wanted }: TurnPlan,
  { dialogIndex, turnId }: NewTurn,
  { answer }: BegunAnswer,
  messages: ReadonlySet<string>,
): AiEvent => ({
  type: 'begun',
  ...answer.by,
  dialogIndex,
  requestModality: given.modality,
  responseModality: wanted.responseModality,
  ...(chat.kind === 'tutor' ? { questionId: turnId } : {}),
  ...messageOf(messages),
});

const causeOf = ({ organizationId, kind, room }: ChatName, chatKey: string, turnId: string) => ({
  organizationId,
  kind,
  chatKey,
  turnId,
  sid: room?.sid ?? null,
  studentUid: room?.studentUid ?? null,
});

/** Yields the text that the reader may see, and records it in `progress.said` as far as it was produced. */
async function* shown(answer: ChatAnswer, progress: Progress): AsyncGenerator<string> {
  const { mark } = progress;
  if (answer.isBlind) {
    progress.said += UNSEEN;
    yield UNSEEN;
  }
  for await (const word of answer) {
    const text = mark ? mark.push(word) : word;
    progress.said += text;
    if (text !== '') yield text;
  }
  const rest = mark?.end() ?? '';
  progress.said += rest;
  if (rest !== '') yield rest;
}
