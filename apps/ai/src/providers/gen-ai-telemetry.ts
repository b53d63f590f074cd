import { context, metrics, type Attributes } from '@opentelemetry/api';
import { AppError } from '@classroom/contracts';
import { recordFailure, SpanKind, startSpan } from '@classroom/platform';
import type { ModelName, ModelUsage } from '../models/ai-provider.js';
import { ModelFailure } from '../models/model-failure.js';

export type Operation = 'chat' | 'embeddings' | 'transcription' | 'speech';

/** Provider names in OpenTelemetry's GenAI conventions. */
const PROVIDER_NAMES: Record<string, string> = { google: 'gcp.gemini', 'openai-compatible': 'openai' };
/** Bucket boundaries of the same conventions. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576];

const meter = metrics.getMeter('virtual-classroom');
const duration = meter.createHistogram('gen_ai.client.operation.duration', {
  description: 'Calls of models, by operation and model',
  unit: 's',
  advice: { explicitBucketBoundaries: SECONDS },
});
const firstToken = meter.createHistogram('gen_ai.server.time_to_first_token', {
  description: 'From the call to the first word',
  unit: 's',
  advice: { explicitBucketBoundaries: SECONDS },
});
const tokens = meter.createHistogram('gen_ai.client.token.usage', {
  description: 'Tokens of one call, by type',
  unit: '{token}',
  advice: { explicitBucketBoundaries: TOKENS },
});

export interface CallEnd {
  by: ModelName;
  used?: ModelUsage;
  responseModel?: string;
  firstTokenMs?: number;
  failure?: ModelFailure;
  /** The caller aborted the call. */
  isCutOff?: boolean;
}

/** Records one call as a span and as metrics: tokens, times and names, but neither the content nor the caller. */
export function startCall(operation: Operation, { provider, model }: ModelName): (end: CallEnd) => void {
  const startedAt = performance.now();
  const attributes: Attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider,
    'gen_ai.request.model': model,
  };
  const span = startSpan(`${operation} ${model}`, SpanKind.CLIENT, context.active(), attributes);
  return ({ by, used, responseModel, firstTokenMs, failure, isCutOff }) => {
    // The name of the fallback, if the fallback answered.
    const answering = PROVIDER_NAMES[by.provider] ?? by.provider;
    const measured: Attributes = { ...attributes, 'gen_ai.provider.name': answering, 'gen_ai.response.model': by.model };
    const errorType = failure ? String(failure.status ?? failure.reason) : isCutOff ? 'cancelled' : undefined;
    span.setAttributes({ 'gen_ai.response.model': responseModel ?? by.model, 'gen_ai.provider.name': answering });
    if (used) {
      span.setAttributes({ 'gen_ai.usage.input_tokens': used.inputTokens, 'gen_ai.usage.output_tokens': used.outputTokens });
      tokens.record(used.inputTokens, { ...measured, 'gen_ai.token.type': 'input' });
      tokens.record(used.outputTokens, { ...measured, 'gen_ai.token.type': 'output' });
    }
    if (firstTokenMs !== undefined) {
      span.setAttribute('gen_ai.server.time_to_first_token', firstTokenMs / 1000);
      firstToken.record(firstTokenMs / 1000, measured);
    }
    if (failure) recordFailure(span, new AppError('AI_UNAVAILABLE', { message: failure.message }));
    if (errorType) span.setAttribute('error.type', errorType);
    duration.record((performance.now() - startedAt) / 1000, errorType ? { ...measured, 'error.type': errorType } : measured);
    span.end();
  };
}
