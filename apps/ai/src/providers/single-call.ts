import { logger } from '@classroom/platform';
import type { ModelName, ModelUsage } from '../models/ai-provider.js';
import { startCall, type Operation } from './gen-ai-telemetry.js';
import type { RetryPolicy } from './call-limits.js';
import { ModelFailure, toModelFailure } from '../models/model-failure.js';
import { Resilience } from './resilience.js';

/** Calls whose result arrives as a whole: transcription, speech and embeddings. */
export class SingleCalls {
  private readonly resilience: Resilience;

  /** @param timing milliseconds: `timeoutMs` for one attempt, `totalMs` for all attempts */
  constructor(
    private readonly name: ModelName,
    private readonly timing: { timeoutMs: number; totalMs: number },
    retryPolicy?: RetryPolicy,
  ) {
    this.resilience = new Resilience(name, retryPolicy);
  }

  /** @throws the caller's abort reason, AppError AI_UNAVAILABLE, or VALIDATION_FAILED for sound that the provider refuses */
  async run<T>(
    operation: Operation,
    caller: AbortSignal,
    call: (signal: AbortSignal) => Promise<T>,
    usedOf: (result: T) => ModelUsage,
  ): Promise<T> {
    const end = startCall(operation, this.name);
    const whole = AbortSignal.any([caller, AbortSignal.timeout(this.timing.totalMs)]);
    try {
      const result = await this.resilience.run(() => this.attempt(whole, call), whole);
      end({ by: this.name, used: usedOf(result) });
      return result;
    } catch (error) {
      if (caller.aborted) {
        end({ by: this.name, isCutOff: true });
        throw caller.reason;
      }
      const failure = whole.aborted ? new ModelFailure('too_slow') : toModelFailure(error);
      end({ by: this.name, failure });
      logger.warn({ ...this.name, operation, reason: failure.message }, 'model not responding');
      throw failure.toAppError(operation === 'transcription' ? 'audio' : undefined);
    }
  }

  private async attempt<T>(whole: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(this.timing.timeoutMs);
    try {
      return await call(AbortSignal.any([whole, timeout]));
    } catch (error) {
      throw timeout.aborted ? new ModelFailure('too_slow') : error;
    }
  }
}
