import { randomUUID } from 'node:crypto';
import { AppError, type TokenUsage } from '@classroom/contracts';
import type { Clock } from '@classroom/platform';
import type { ChatAnswer, ChatRequest, ModelName, ModelUsage } from '../models/ai-provider.js';
import type { OrganizationAi } from '../providers/providers.js';
import { estimateRequest } from '../models/token-estimate.js';
import { MODEL_OF, type Cause, type Outcome, type UsageEntry, type UsageTask } from './usage-entry.js';

const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, isEstimated: true, audioSeconds: 0, characters: 0 };

interface Result {
  by: ModelName;
  used: ModelUsage;
}

interface CallResult extends Partial<Result> {
  outcome: Outcome;
  firstTokenMs?: number | undefined;
}

export interface StartedAnswer {
  answer: ChatAnswer;
  end: (outcome: Outcome) => void;
}

/**
 * Records the model calls of one cause, as one entry per call once it has ended, however it ended. The code that makes the calls stores the
 * entries in the transaction that ends its work.
 */
export class CallLog {
  readonly entries: UsageEntry[] = [];
  private readonly inProgress = new Set<Promise<unknown>>();

  constructor(
    private readonly ai: OrganizationAi,
    readonly cause: Cause,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a call whose result arrives as a whole.
   * @throws AppError AI_UNAVAILABLE, or the error that `work` rejects with when the signal fires
   */
  call<R extends Result>(task: UsageTask, signal: AbortSignal, work: () => Promise<R>): Promise<R> {
    const end = this.begin(task);
    const call = work().then(
      (result) => {
        end({ ...result, outcome: 'finished' });
        return result;
      },
      (error: unknown) => {
        // The input was rejected before a model was called.
        if (error instanceof AppError && error.kind === 'invalid') throw error;
        end({ outcome: signal.aborted ? 'cut_off' : 'failed' });
        throw error;
      },
    );
    this.track(call);
    return call;
  }

  /** Resolves when the answer has begun. The caller must call `end` when it stops reading. */
  async chat(request: ChatRequest, signal: AbortSignal, task: 'chat' | 'summary' = 'chat'): Promise<StartedAnswer> {
    const end = this.begin(task);
    const asked = { ...NO_USAGE, inputTokens: estimateRequest(request) };
    try {
      const answer = await this.ai.provider.chat(request, signal);
      return { answer, end: (outcome) => end({ outcome, by: answer.by, used: answer.used(), firstTokenMs: answer.firstTokenMs }) };
    } catch (error) {
      // The provider processes a question that was sent, even if the caller no longer waits for the answer.
      end(signal.aborted ? { outcome: 'cut_off', used: asked } : { outcome: 'failed' });
      throw error;
    }
  }

  /** Records a turn whose process died. It is only certain that a model was called. */
  addAbandoned(turnId: string, request: Pick<ChatRequest, 'turns' | 'question'>): void {
    const used = { ...NO_USAGE, inputTokens: estimateRequest({ ...request, instructions: '', maxOutputTokens: 0 }) };
    this.add({ ...this.cause, turnId }, 'chat', { outcome: 'cut_off', used }, 0);
  }

  /** Returns a whole text that is not a turn of a dialogue. */
  async write(request: ChatRequest, signal: AbortSignal): Promise<string> {
    const { answer, end } = await this.chat(request, signal, 'summary');
    let text = '';
    try {
      for await (const word of answer) text += word;
      signal.throwIfAborted();
      end('finished');
      return text;
    } catch (error) {
      end(signal.aborted ? 'cut_off' : 'failed');
      throw error;
    }
  }

  /** Resolves when every call has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.inProgress);
  }

  /** Tokens of this turn's calls. */
  total(): TokenUsage {
    const own = this.entries.filter(({ cause }) => cause === this.cause);
    const sum = (of: (used: ModelUsage) => number) => own.reduce((total, { used }) => total + of(used), 0);
    return { inputTokens: sum((used) => used.inputTokens), outputTokens: sum((used) => used.outputTokens) };
  }

  /** @returns a callback that ends the call; only its first invocation counts */
  private begin(task: UsageTask): (ended: CallResult) => void {
    const started = performance.now();
    let hasEnded = false;
    return (ended) => {
      if (hasEnded) return;
      hasEnded = true;
      this.add(this.cause, task, ended, performance.now() - started);
    };
  }

  private add(cause: Cause, task: UsageTask, { outcome, by, used = NO_USAGE, firstTokenMs }: CallResult, latencyMs: number): void {
    // A call that ended before its first token is attributed to the first choice.
    const model = by ?? this.ai.nameOf(MODEL_OF[task]) ?? { provider: 'unknown', model: 'unknown' };
    this.entries.push({
      // A turn has one answer: if the turn was taken for abandoned, its estimate and its real usage are one entry, and the first one is stored.
      usageId: task === 'chat' && cause.turnId !== null ? cause.turnId : randomUUID(),
      cause,
      task,
      by: model,
      outcome,
      used,
      cost: this.ai.price(model, used),
      credits: this.ai.credits(used),
      latencyMs: Math.round(latencyMs),
      firstTokenMs: firstTokenMs === undefined ? null : Math.round(firstTokenMs),
      at: this.clock.now(),
    });
  }

  private track(call: Promise<unknown>): void {
    const tracked: Promise<unknown> = call.catch(() => undefined).finally(() => this.inProgress.delete(tracked));
    this.inProgress.add(tracked);
  }
}
