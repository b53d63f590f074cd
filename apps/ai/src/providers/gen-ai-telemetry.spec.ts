import { metrics, trace, type Attributes, type MeterProvider, type TracerProvider } from '@opentelemetry/api';

interface RecordedSpan {
  name: string;
  attributes: Attributes;
  isEnded: boolean;
  status?: unknown;
}
const spans: RecordedSpan[] = [];
const measured: { name: string; value: number; attributes: Attributes }[] = [];

const tracer = {
  startSpan(name: string, { attributes = {} }: { attributes?: Attributes } = {}) {
    const recorded: RecordedSpan = { name, attributes: { ...attributes }, isEnded: false };
    spans.push(recorded);
    return {
      setAttribute: (key: string, value: string) => void (recorded.attributes[key] = value),
      setAttributes: (more: Attributes) => void Object.assign(recorded.attributes, more),
      setStatus: (status: unknown) => void (recorded.status = status),
      end: () => void (recorded.isEnded = true),
    };
  },
};
const meter = {
  createHistogram: (name: string) => ({
    record: (value: number, attributes: Attributes) => void measured.push({ name, value, attributes }),
  }),
};

beforeEach(() => {
  jest.resetModules();
  spans.length = 0;
  measured.length = 0;
});

async function load() {
  trace.setGlobalTracerProvider({ getTracer: () => tracer } as unknown as TracerProvider);
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider);
  const { startCall } = await import('./gen-ai-telemetry.js');
  const { ModelFailure } = await import('../models/model-failure.js');
  return { startCall, ModelFailure };
}

const by = { provider: 'google', model: 'gemini-x' };
const used = { inputTokens: 12, outputTokens: 34, isEstimated: false, audioSeconds: 0, characters: 0 };

it('records tokens, model, latency and the time to the first token', async () => {
  const { startCall } = await load();
  startCall('chat', by)({ by, used, responseModel: 'gemini-x-001', firstTokenMs: 250 });
  expect(spans).toEqual([
    {
      name: 'chat gemini-x',
      isEnded: true,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'gcp.gemini',
        'gen_ai.request.model': 'gemini-x',
        'gen_ai.response.model': 'gemini-x-001',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 34,
        'gen_ai.server.time_to_first_token': 0.25,
      },
    },
  ]);
  expect(measured.map(({ name, attributes }) => [name, attributes['gen_ai.token.type']])).toEqual([
    ['gen_ai.client.token.usage', 'input'],
    ['gen_ai.client.token.usage', 'output'],
    ['gen_ai.server.time_to_first_token', undefined],
    ['gen_ai.client.operation.duration', undefined],
  ]);
});

it('records the reason of a failure in few words', async () => {
  const { startCall, ModelFailure } = await load();
  startCall('speech', by)({ by, failure: new ModelFailure('status', { status: 429, code: 'whatever-they-say' }) });
  startCall('chat', by)({ by, isCutOff: true });
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['429', 'cancelled']);
  expect(measured.map(({ attributes }) => attributes['error.type'])).toEqual(['429', 'cancelled']);
  expect(spans.every(({ isEnded }) => isEnded)).toBe(true);
});
