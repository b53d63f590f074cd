import { metrics, type Attributes, type MeterProvider } from '@opentelemetry/api';

const counted: Attributes[] = [];
const meter = { createCounter: () => ({ add: (_: number, attributes: Attributes) => void counted.push(attributes) }) };

test.each([
  ['COMPLETED', null, [{ status: 'COMPLETED', cut: 'false' }]],
  ['COMPLETED', 'The recorder was ended', [{ status: 'COMPLETED', cut: 'true' }]],
  ['FAILED', 'There is no file', [{ status: 'FAILED', cut: 'false' }]],
  ['ABORTED', null, [{ status: 'ABORTED', cut: 'false' }]],
  ['ACTIVE', null, []],
  ['REFUSED', null, []],
] as const)('a recording that becomes %s because %s', async (status, reason, expected) => {
  counted.length = 0;
  jest.resetModules();
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider);
  const { countEnd } = await import('./recording-counts.js');
  countEnd({ status, reason });
  expect(counted).toEqual(expected);
});
