import type { LanguageModelV4 } from '@ai-sdk/provider';
import { experimental_streamTextLowMemory as streamText, type ModelMessage, type TextStreamPart, type ToolSet } from 'ai';
import type { ChatAnswer, ChatRequest, ModelName, ModelUsage } from '../models/ai-provider.js';
import { Deadline } from './deadline.js';
import { ModelFailure, toModelFailure } from '../models/model-failure.js';
import { NO_USAGE } from '../models/task-models.js';
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
  private outputEstimate = 0;
  private readonly inputEstimate: number;
  private reported: { inputTokens?: number; outputTokens?: number } = {};
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
    readonly isImageIgnored: boolean,
  ) {
    this.inputEstimate = estimateRequest(request);
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
    deadline.signal.addEventListener('abort', () => this.end(this.toEnd()), { once: true });
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
    { deadline, startedAt, isImageIgnored }: { deadline: Deadline; startedAt: number; isImageIgnored: boolean },
  ): Promise<ModelAnswer> {
    const answer = new ModelAnswer(by, model, request, signal, deadline, startedAt, isImageIgnored);
    answer.first = await answer.nextChunk();
    return answer;
  }

  private first: string | undefined;

  get firstTokenMs(): number | undefined {
    return this.firstMs;
  }

  used(): ModelUsage {
    const { inputTokens, outputTokens } = this.reported;
    return {
      ...NO_USAGE,
      inputTokens: inputTokens ?? this.inputEstimate,
      outputTokens: outputTokens ?? Math.ceil(this.outputEstimate),
      isEstimated: inputTokens === undefined || outputTokens === undefined,
    };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (let chunk = this.first; chunk !== undefined; chunk = await this.nextChunk()) yield chunk;
    } catch (error) {
      throw error instanceof ModelFailure ? error.toAppError() : error;
    } finally {
      this.end({ outcome: 'cut_off' });
    }
  }

  /** Undefined at the end. Throws the signal's reason or a ModelFailure. */
  private async nextChunk(): Promise<string | undefined> {
    if (this.ended) return this.afterEnd(this.ended);
    try {
      for (;;) {
        this.deadline.signal.throwIfAborted();
        this.deadline.await();
        const { value: part, done } = await this.parts.next();
        this.deadline.signal.throwIfAborted();
        if (done) throw new ModelFailure('broken_off');
        const chunk = this.readPart(part);
        if (chunk !== undefined) return chunk;
        if (part.type === 'finish') {
          this.end({ outcome: 'finished' });
          return undefined;
        }
      }
    } catch (error) {
      const end = this.toEnd(error);
      this.end(end);
      return this.afterEnd(end);
    }
  }

  private afterEnd({ outcome, failure }: AnswerEnd): undefined {
    if (failure) throw failure;
    if (outcome === 'cut_off') this.caller.throwIfAborted();
  }

  private toEnd(error: unknown = this.deadline.signal.reason): AnswerEnd {
    if (this.caller.aborted) return { outcome: 'cut_off' };
    return { outcome: 'failed', failure: toModelFailure(error, this.firstMs !== undefined) };
  }

  private readPart(part: Part): string | undefined {
    switch (part.type) {
      case 'text-delta':
        if (part.text === '') return undefined;
        this.deadline.tokenArrived();
        this.outputEstimate += tokenWeight(part.text);
        this.firstMs ??= performance.now() - this.startedAt;
        return part.text;
      case 'reasoning-delta':
        this.deadline.tokenArrived();
        this.outputEstimate += tokenWeight(part.text);
        return undefined;
      case 'error':
        throw part.error;
      case 'finish-step':
        this.responseModel = part.response.modelId;
        this.reported.inputTokens = part.usage.inputTokens;
        // A provider may close its connection cleanly before the answer is complete. Then both the finish reason and the output tokens are
        // missing.
        if (part.rawFinishReason === undefined) throw new ModelFailure('broken_off');
        this.reported.outputTokens = part.usage.outputTokens;
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
const EMPTY_ANSWER = '…';

function toMessages({ turns, question, image }: ChatRequest): ModelMessage[] {
  const past = turns.flatMap((turn): ModelMessage[] => [
    { role: 'user', content: turn.question },
    { role: 'assistant', content: turn.answer.trim() === '' ? EMPTY_ANSWER : turn.answer },
  ]);
  const content = [
    ...(image ? [{ type: 'file' as const, data: image.bytes, mediaType: image.mimeType }] : []),
    { type: 'text' as const, text: question },
  ];
  return [...past, { role: 'user', content }];
}
