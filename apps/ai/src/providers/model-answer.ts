import type { LanguageModelV4 } from '@ai-sdk/provider';
import { experimental_streamTextLowMemory as streamText, type ModelMessage, type TextStreamPart, type ToolSet } from 'ai';
import type { ChatAnswer, ChatRequest, ModelName, ModelUsage } from '../models/ai-provider.js';
import { Deadline } from './deadline.js';
import { ModelFailure, toModelFailure } from '../models/model-failure.js';
import { NO_USAGE } from '../models/tasks.js';
import { estimateRequest, tokenWeight } from '../models/token-estimate.js';

// The SDK's warnings would print parts of requests.
globalThis.AI_SDK_LOG_WARNINGS = false;

type Part = TextStreamPart<ToolSet>;

/** How the answer ended. An answer ends once. */
export interface AnswerEnd {
  outcome: 'finished' | 'cut_off' | 'failed';
  failure?: ModelFailure;
}

/**
 * The answer of one attempt. The consumer pulls it chunk by chunk; leaving the loop early, or the signal, ends the provider's request.
 * Iterating throws the signal's reason if the caller aborted, and AppError AI_UNAVAILABLE if the model broke off.
 */
export class ModelAnswer implements ChatAnswer {
  private readonly parts: AsyncIterator<Part>;
  private firstMs: number | undefined;
  private written = 0;
  private readonly asked: number;
  private told: { inputTokens?: number; outputTokens?: number } = {};
  private ended: AnswerEnd | undefined;
  /** The model name that the provider reports. */
  responseModel: string | undefined;
  onEnd: (end: AnswerEnd) => void = () => undefined;

  private constructor(
    readonly by: ModelName,
    model: LanguageModelV4,
    request: ChatRequest,
    private readonly caller: AbortSignal,
    private readonly deadline: Deadline,
    private readonly startedAt: number,
    readonly isBlind: boolean,
  ) {
    this.asked = estimateRequest(request);
    const { stream } = streamText({
      model,
      instructions: request.instructions,
      messages: toMessages(request),
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: deadline.signal,
      telemetry: { isEnabled: false },
      // Without a handler, the SDK prints errors.
      onError: () => undefined,
    });
    this.parts = stream[Symbol.asyncIterator]();
    // The consumer may not be iterating when the signal fires, so the answer is ended here.
    deadline.signal.addEventListener('abort', () => this.end(this.endNow()), { once: true });
  }

  /**
   * Resolves when the first chunk has arrived.
   * @param startedAt performance.now() at the start of the call; this may be a later attempt of it
   */
  static async open(
    by: ModelName,
    model: LanguageModelV4,
    request: ChatRequest,
    signal: AbortSignal,
    { deadline, startedAt, isBlind }: { deadline: Deadline; startedAt: number; isBlind: boolean },
  ): Promise<ModelAnswer> {
    const answer = new ModelAnswer(by, model, request, signal, deadline, startedAt, isBlind);
    answer.first = await answer.nextWord();
    return answer;
  }

  private first: string | undefined;

  get firstTokenMs(): number | undefined {
    return this.firstMs;
  }

  used(): ModelUsage {
    const { inputTokens, outputTokens } = this.told;
    return {
      ...NO_USAGE,
      inputTokens: inputTokens ?? this.asked,
      outputTokens: outputTokens ?? Math.ceil(this.written),
      isEstimated: inputTokens === undefined || outputTokens === undefined,
    };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (let word = this.first; word !== undefined; word = await this.nextWord()) yield word;
    } catch (error) {
      throw error instanceof ModelFailure ? error.toAppError() : error;
    } finally {
      this.end({ outcome: 'cut_off' });
    }
  }

  /** Undefined at the end. Throws the signal's reason or a ModelFailure. */
  private async nextWord(): Promise<string | undefined> {
    if (this.ended) return this.afterEnd(this.ended);
    try {
      for (;;) {
        this.deadline.signal.throwIfAborted();
        this.deadline.await();
        const { value: part, done } = await this.parts.next();
        this.deadline.signal.throwIfAborted();
        if (done) throw new ModelFailure('broken_off');
        const word = this.take(part);
        if (word !== undefined) return word;
        if (part.type === 'finish') {
          this.end({ outcome: 'finished' });
          return undefined;
        }
      }
    } catch (error) {
      const end = this.endNow(error);
      this.end(end);
      return this.afterEnd(end);
    }
  }

  private afterEnd({ outcome, failure }: AnswerEnd): undefined {
    if (failure) throw failure;
    if (outcome === 'cut_off') this.caller.throwIfAborted();
  }

  private endNow(error: unknown = this.deadline.signal.reason): AnswerEnd {
    if (this.caller.aborted) return { outcome: 'cut_off' };
    return { outcome: 'failed', failure: toModelFailure(error, this.firstMs !== undefined) };
  }

  private take(part: Part): string | undefined {
    switch (part.type) {
      case 'text-delta':
        if (part.text === '') return undefined;
        this.deadline.prolong();
        this.written += tokenWeight(part.text);
        this.firstMs ??= performance.now() - this.startedAt;
        return part.text;
      case 'reasoning-delta':
        this.deadline.prolong();
        this.written += tokenWeight(part.text);
        return undefined;
      case 'error':
        throw part.error;
      case 'finish-step':
        this.responseModel = part.response.modelId;
        this.told.inputTokens = part.usage.inputTokens;
        // A provider may close its connection cleanly before the answer is complete. Then both the finish reason and the output tokens are
        // missing.
        if (part.rawFinishReason === undefined) throw new ModelFailure('broken_off');
        this.told.outputTokens = part.usage.outputTokens;
        return undefined;
      default:
        return undefined;
    }
  }

  private end(end: AnswerEnd): void {
    if (this.ended) return;
    this.ended = end;
    this.deadline.close();
    this.onEnd(end);
  }
}

/** Replaces an answer that was cut off before its first token: providers reject empty answers. */
const UNSAID = '…';

function toMessages({ turns, question, image }: ChatRequest): ModelMessage[] {
  const past = turns.flatMap((turn): ModelMessage[] => [
    { role: 'user', content: turn.question },
    { role: 'assistant', content: turn.answer.trim() === '' ? UNSAID : turn.answer },
  ]);
  const content = [
    ...(image ? [{ type: 'file' as const, data: image.bytes, mediaType: image.mimeType }] : []),
    { type: 'text' as const, text: question },
  ];
  return [...past, { role: 'user', content }];
}
