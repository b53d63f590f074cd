import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError, AUDIO_MIME_TYPE, invalidField, isUnavailable, type AiEvent } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { metrics } from '@opentelemetry/api';
import type { ChatAnswer, PcmAudio } from '../models/ai-provider.js';
import { concatAudio, writeWav } from '../inputs/wav.js';
import { CallLog, type StartedAnswer } from '../usage/call-log.js';
import type { Outcome } from '../usage/usage-entry.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { ChatLeases, type ChatLease } from './chat-leases.js';
import type { ChatName, TurnContext, TurnPlan, EndedTurn, NewTurn } from './turn-plan.js';
import { ChatsRepository, type LeasedChat } from './chats.repository.js';
import { RunningTurns } from './running-turns.js';
import { toStorableText, ConversationMemory, type ChatHistory } from './conversation-memory.js';
import { streamSpeech } from './stream-speech.js';
import { NoAnswerMarker } from './no-answer-marker.js';

const WRITE_ATTEMPTS = 4;
const WRITE_PAUSE_MS = 500;

const OFFLINE_TRANSCRIPT_NOTICE =
  'The audio was transcribed by the embedded recognizer, which knows English alone and makes mistakes: no speech-to-text model is configured.';
const SPEECH_FAILED_NOTICE = 'Some of the text has no audio: the text-to-speech model did not answer.';
/** Starts the answer's text, so that the chat's history contains it too. */
const IMAGE_IGNORED_NOTICE = 'I can’t see pictures with what is configured here, so I did not look at yours. ';

const turns = metrics
  .getMeter('classroom')
  .createCounter('classroom_ai_turns_total', { description: 'Turns answered, by kind and outcome' });

/** State of a running turn. */
interface Progress {
  opened?: NewTurn;
  started?: StartedAnswer;
  answerText: string;
  isInterrupted: boolean;
  marker: NoAnswerMarker | undefined;
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
    private readonly conversationMemory: ConversationMemory,
    private readonly usage: UsageRepository,
    private readonly runningTurns: RunningTurns,
    private readonly clock: Clock,
  ) {}

  /**
   * @param chat key of the chat; turns with the same key are answered in the order of their arrival
   * @param prepare checks whether the turn may be answered; its signal fires when the reader leaves or the process stops
   * @throws AppError CHAT_BUSY, AI_UNAVAILABLE, VALIDATION_FAILED (a question without text), SERVICE_UNAVAILABLE
   */
  async *execute(chat: string, prepare: (signal: AbortSignal) => Promise<TurnPlan>, reader: AbortSignal): AsyncGenerator<string> {
    const startedAt = performance.now();
    const controller = new AbortController();
    const abortTurn = () => controller.abort(reader.reason);
    const endTurn = this.runningTurns.track(controller);
    const entry = this.leases.enqueue(chat);
    reader.addEventListener('abort', abortTurn, { once: true });
    if (reader.aborted) abortTurn();
    try {
      const plan = await prepare(controller.signal);
      const lease = await this.leases.acquire(plan.chat, entry, controller);
      try {
        yield* this.answerInLease(plan, lease, controller, startedAt);
      } finally {
        lease.end();
      }
    } finally {
      entry.leave();
      reader.removeEventListener('abort', abortTurn);
      endTurn();
    }
  }

  private async *answerInLease(plan: TurnPlan, lease: ChatLease, controller: AbortController, startedAt: number): AsyncGenerator<string> {
    const { signal } = controller;
    const turnId = randomUUID();
    const log = new CallLog(plan.ai, causeOf(plan.chat, lease.chat, turnId), this.clock);
    const messages = new Set(plan.options.message ? [plan.options.message] : []);
    const progress: Progress = {
      answerText: '',
      isInterrupted: false,
      messages,
      marker: plan.usesNoAnswerMarker ? new NoAnswerMarker() : undefined,
    };
    let history: ChatHistory | undefined;
    let context: TurnContext | undefined;
    // The outcome when the reader stops reading in the middle.
    let outcome: Outcome = 'cut_off';
    try {
      if (plan.chat.uid !== null && plan.chat.uid !== lease.chat.studentUid)
        throw invalidField('participantUid', 'is not the participant for whom this chat was begun');
      history = await this.conversationMemory.load(lease.chat);
      for (const { turnId: abandonedId, question } of history.abandoned) log.addAbandoned(abandonedId, { turns: [], question });
      const question = await this.readQuestion(plan, progress, log, signal);
      context = await plan.context(question);
      const { input } = plan;
      const turn = {
        turnId,
        chatKey: lease.chat.chatKey,
        dialogIndex: lease.chat.nextIndex,
        question,
        hasAudio: !!input.wav,
        hasImage: !!input.image,
      };
      progress.opened = await this.open(plan, lease, { ...turn, askedAt: this.clock.now() });
      const request = {
        ...this.conversationMemory.buildRequest(history, context, question),
        ...(input.image ? { image: input.image } : {}),
      };
      progress.started = await log.chat(request, signal);
      yield toLine(begunEvent(plan, progress.opened, progress.started, progress.messages));
      progress.messages.clear();
      for await (const event of this.events(plan, progress.started, progress, log, signal)) yield toLine(event);
      signal.throwIfAborted();
      outcome = 'finished';
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      outcome = 'failed';
      throw error;
    } finally {
      progress.started?.end(outcome);
      // The signal's reason is an AppError unless the reader left.
      progress.isInterrupted = outcome === 'failed' || (outcome === 'cut_off' && signal.reason instanceof AppError);
      // Stops speech synthesis that is still running.
      controller.abort();
      await log.settled();
      const ended = await this.finish(plan, lease, progress, outcome, log);
      turns.add(1, { kind: plan.chat.kind, outcome });
      if (ended) plan.afterEnd?.(ended);
      if (ended && history && context && outcome === 'finished') {
        this.conversationMemory.summarizeWhenDue(plan.ai, log.cause, lease.chat, history, { ...ended, state: outcome }, context);
      }
    }
    yield toLine({
      type: 'usage',
      usage: { ...log.total(), latencyMs: Math.round(performance.now() - startedAt) },
      ...messageOf(progress.messages),
    });
  }

  private async readQuestion({ input, ai }: TurnPlan, { messages }: Progress, log: CallLog, signal: AbortSignal): Promise<string> {
    const { text, wav } = input;
    const transcript = wav && (await log.call('transcription', signal, () => ai.provider.transcribe(wav, signal)));
    if (transcript?.by.provider === 'offline') messages.add(OFFLINE_TRANSCRIPT_NOTICE);
    const question = toStorableText([text, transcript?.text.trim()].filter(Boolean).join('\n\n'));
    if (question === '') throw invalidField('audio', 'has no words in it');
    return question;
  }

  private async open(plan: TurnPlan, { holder }: ChatLease, turn: NewTurn): Promise<NewTurn> {
    await this.database.transaction(async (tx) => {
      if (!(await this.chats.open(tx, turn, holder))) throw new AppError('SERVICE_UNAVAILABLE');
      await plan.onOpened?.(tx, turn);
    });
    return turn;
  }

  private async *events(
    plan: TurnPlan,
    { answer }: StartedAnswer,
    progress: Progress,
    log: CallLog,
    signal: AbortSignal,
  ): AsyncGenerator<AiEvent> {
    const { responseModality, isWhole } = plan.options;
    const chunks = visibleText(answer, progress);
    if (responseModality === 'text') {
      for await (const text of chunks) yield { type: 'text', text };
      return;
    }
    const audioParts: PcmAudio[] = [];
    for await (const part of streamSpeech(chunks, (sentence) => this.synthesize(plan, sentence, progress, log, signal))) {
      if ('audio' in part && isWhole) audioParts.push(part.audio);
      else if ('audio' in part) yield audioEvent(part.audio);
      else if (isWhole || responseModality === 'both') yield { type: 'text', text: part.text };
    }
    if (audioParts.length > 0) yield audioEvent(concatAudio(audioParts));
  }

  /** Returns undefined if the sentence can't be spoken and the reader receives the text anyway. */
  private async synthesize(
    { ai, options }: TurnPlan,
    sentence: string,
    { messages }: Progress,
    log: CallLog,
    signal: AbortSignal,
  ): Promise<PcmAudio | undefined> {
    try {
      return (await log.call('speech', signal, () => ai.provider.synthesize(sentence.trim(), options.voiceName, signal))).audio;
    } catch (error) {
      const isTextEnough = options.responseModality === 'both' && isUnavailable(error);
      if (signal.aborted || !isTextEnough) throw error;
      logger.warn({ err: error }, 'speech synthesis failed; sent text only');
      messages.add(SPEECH_FAILED_NOTICE);
      return undefined;
    }
  }

  /**
   * Stores the turn and its usage and releases the chat's lease, in one transaction. Retries up to three times while the database is
   * unreachable.
   */
  private async finish(
    plan: TurnPlan,
    { chat, holder }: ChatLease,
    progress: Progress,
    outcome: Outcome,
    log: CallLog,
  ): Promise<EndedTurn | undefined> {
    const { opened, answerText, marker, isInterrupted } = progress;
    const ended = opened && {
      ...opened,
      outcome,
      answer: toStorableText(answerText),
      isUnknown: marker?.isUnknown ?? false,
      isInterrupted,
    };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.database.transaction(async (tx) => {
          // The chat is locked before its turn, as by an erasure.
          await this.chats.release(tx, chat.chatKey, holder);
          await this.usage.add(tx, log.entries);
          if (ended && (await this.chats.finish(tx, ended.turnId, outcome, ended.answer, this.clock.now())))
            await plan.onEnded?.(tx, ended);
        });
        return ended;
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS || !(error instanceof AppError)) throw error;
        await pause(WRITE_PAUSE_MS * attempt);
      }
    }
  }
}

const toLine = (event: AiEvent) => `${JSON.stringify(event)}\n`;

const audioEvent = (audio: PcmAudio): AiEvent => ({ type: 'audio', audio: writeWav(audio).toString('base64'), mimeType: AUDIO_MIME_TYPE });

const messageOf = (messages: ReadonlySet<string>) => (messages.size > 0 ? { message: [...messages].join(' ') } : {});

const begunEvent = (
  { chat, input, options }: TurnPlan,
  { dialogIndex, turnId }: NewTurn,
  { answer }: StartedAnswer,
  messages: ReadonlySet<string>,
): AiEvent => ({
  type: 'begun',
  ...answer.by,
  dialogIndex,
  requestModality: input.modality,
  responseModality: options.responseModality,
  ...(chat.kind === 'tutor' ? { questionId: turnId } : {}),
  ...messageOf(messages),
});

const causeOf = ({ organizationId, kind, uid, room }: ChatName, { chatKey }: LeasedChat, turnId: string) => ({
  organizationId,
  kind,
  chatKey,
  turnId,
  sid: room?.sid ?? null,
  studentUid: room && uid,
});

/** Yields the text that the reader may see, and records it in `progress.answerText` as far as it was produced. */
async function* visibleText(answer: ChatAnswer, progress: Progress): AsyncGenerator<string> {
  const { marker } = progress;
  if (answer.isImageIgnored) {
    progress.answerText += IMAGE_IGNORED_NOTICE;
    yield IMAGE_IGNORED_NOTICE;
  }
  for await (const chunk of answer) {
    const text = marker ? marker.push(chunk) : chunk;
    progress.answerText += text;
    if (text !== '') yield text;
  }
  const rest = marker?.end() ?? '';
  progress.answerText += rest;
  if (rest !== '') yield rest;
}
