import { setTimeout as sleep } from 'node:timers/promises';
import { BrokenCircuitError, circuitBreaker, CircuitState, CountBreaker, handleWhen, type CircuitBreakerPolicy } from 'cockatiel';
import { metrics } from '@opentelemetry/api';
import { logger } from '@classroom/platform';
import type { ModelName } from '../models/ai-provider.js';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './call-limits.js';
import { ModelFailure, toModelFailure } from '../models/model-failure.js';

const WINDOW = 20;

const attempts = metrics.getMeter('virtual-classroom').createCounter('classroom_ai_attempts_total', {
  description:
    'Attempts at calls of a model up to its first word, by provider and outcome: a call may take several, and the fallback’s too',
});

/** The retries and the circuit breaker of one model, shared by all callers with the same API key. */
export class Resilience {
  private readonly breaker: CircuitBreakerPolicy;

  constructor(
    private readonly name: ModelName,
    private readonly retryPolicy: RetryPolicy = DEFAULT_RETRY_POLICY,
  ) {
    const { minimumCalls, halfOpenAfterMs } = retryPolicy;
    const counts = (error: unknown) => (error instanceof ModelFailure ? error.isTransient : this.isHalfOpen);
    this.breaker = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: halfOpenAfterMs,
      breaker: new CountBreaker({ threshold: 0.5, size: Math.max(WINDOW, minimumCalls), minimumNumberOfCalls: minimumCalls }),
    });
    this.breaker.onBreak(() => logger.warn(name, 'model failing; circuit opened'));
    this.breaker.onReset(() => logger.info(name, 'model available again'));
  }

  /** Rejects with the signal's reason, or a ModelFailure. */
  async run<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let left = this.retryPolicy.retries, pause = this.retryPolicy.initialDelayMs; ; left--, pause *= 2) {
      try {
        const answer = await this.once(attempt, signal);
        this.count('OK');
        return answer;
      } catch (error) {
        this.count(outcomeOf(error, signal));
        signal.throwIfAborted();
        const failure = toModelFailure(error);
        const wait = failure.retryAfterMs ?? pause * (1 + Math.random() / 2);
        if (left <= 0 || !failure.isTransient || wait > this.retryPolicy.maxDelayMs) throw failure;
        await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  private async once<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    // While one trial call tests whether the model has recovered, cockatiel would let the other calls wait for its outcome.
    if (this.isHalfOpen) throw new ModelFailure('circuit_open');
    try {
      return await this.breaker.execute(async () =>
        attempt().catch((error: unknown) => {
          throw signal.aborted ? error : toModelFailure(error);
        }),
      );
    } catch (error) {
      throw error instanceof BrokenCircuitError ? new ModelFailure('circuit_open') : error;
    }
  }

  private count(outcome: string): void {
    attempts.add(1, { outcome, provider: this.name.provider });
  }

  /**
   * True while a trial call tests whether the model has recovered. A trial that its caller aborts proves nothing, so it counts as a failure
   * and the circuit opens again.
   */
  private get isHalfOpen(): boolean {
    return this.breaker.state === CircuitState.HalfOpen;
  }
}

/** A timeout is the model's failure; any other abort is the caller's decision. */
function outcomeOf(error: unknown, { aborted, reason }: AbortSignal): string {
  if (!aborted) return toModelFailure(error).reason;
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'too_slow' : 'cancelled';
}
