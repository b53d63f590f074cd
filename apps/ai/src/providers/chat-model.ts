import type { LanguageModelV4 } from '@ai-sdk/provider';
import { logger } from '@classroom/platform';
import type { ChatAnswer, ChatRequest, ModelName } from '../models/ai-provider.js';
import { Deadline } from './deadline.js';
import { startCall } from './gen-ai-telemetry.js';
import type { Limits, RetryPolicy } from './call-limits.js';
import { ModelAnswer } from './model-answer.js';
import { toModelFailure } from '../models/model-failure.js';
import { Resilience } from './resilience.js';
import type { ChatCompleter } from '../models/task-models.js';

/** One chat model with its retries: an attempt may be repeated only until an answer's first token. */
export class ChatModel {
  private readonly resilience: Resilience;

  constructor(
    readonly name: ModelName,
    private readonly model: LanguageModelV4,
    readonly supportsVision: boolean,
    private readonly limits: Limits,
    retryPolicy?: RetryPolicy,
  ) {
    this.resilience = new Resilience(name, retryPolicy);
  }

  /**
   * Rejects with the signal's reason, or with a ModelFailure.
   * @param startedAt performance.now() at the start of the call
   */
  open({ image, ...words }: ChatRequest, signal: AbortSignal, startedAt: number): Promise<ModelAnswer> {
    const request = this.supportsVision ? { ...words, image } : words;
    const isImageIgnored = image !== undefined && !this.supportsVision;
    const { firstTokenMs, idleMs, totalMs } = this.limits;
    const attempt = async () => {
      const deadline = new Deadline(signal, firstTokenMs, idleMs, startedAt + totalMs);
      try {
        return await ModelAnswer.open(this.name, this.model, request, signal, { deadline, startedAt, isImageIgnored });
      } catch (error) {
        deadline.close();
        throw error;
      }
    };
    return this.resilience.run(attempt, signal);
  }
}

/** The first choice, and the fallback if the first choice fails before its first token. */
export class ChatModels implements ChatCompleter {
  constructor(
    private readonly first: ChatModel,
    private readonly fallback: ChatModel | undefined,
  ) {}

  get name(): ModelName {
    return this.first.name;
  }

  async answer(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
    const startedAt = performance.now();
    const end = startCall('chat', this.name);
    try {
      const answer = await this.open(request, signal, startedAt);
      const { by } = answer;
      answer.onEnd = ({ outcome, failure }) => {
        if (failure) logger.warn({ ...by, reason: failure.message }, 'model stream aborted');
        const { firstTokenMs, responseModel } = answer;
        end({ by, used: answer.used(), responseModel, firstTokenMs, failure, isCutOff: outcome === 'cut_off' });
      };
      return answer;
    } catch (error) {
      if (signal.aborted) {
        end({ by: this.name, isCutOff: true });
        throw signal.reason;
      }
      const failure = toModelFailure(error);
      const last = this.fallback ?? this.first;
      end({ by: last.name, failure });
      throw failure.toAppError(request.image && last.supportsVision ? 'image' : undefined);
    }
  }

  private async open(request: ChatRequest, signal: AbortSignal, startedAt: number): Promise<ModelAnswer> {
    try {
      return await this.first.open(request, signal, startedAt);
    } catch (error) {
      signal.throwIfAborted();
      const { message: reason } = toModelFailure(error);
      logger.warn({ ...this.first.name, reason, fallback: this.fallback?.name.model }, 'model not responding');
      if (!this.fallback) throw error;
    }
    return this.fallback.open(request, signal, startedAt);
  }
}
