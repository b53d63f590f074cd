import type { RetryPolicy } from '../../src/providers/call-limits.js';
import { ModelRegistry, type Choices, type RegistryOptions } from '../../src/providers/model-registry.js';
import type { Choice } from '../../src/providers/sdk-models.js';

/** Milliseconds. No call exceeds these unless a test makes it. */
export const LIMITS = { firstTokenMs: 30_000, idleMs: 30_000, totalMs: 120_000 };
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  retries: 2,
  initialDelayMs: 10,
  maxDelayMs: 1_500,
  minimumCalls: 5,
  halfOpenAfterMs: 300,
};
export const KEY = 'sk-canary-1234567890';

/** The adapters of chat models, and the path that each requests. */
export const ADAPTERS: { provider: Choice['provider']; path: string }[] = [
  { provider: 'openai-compatible', path: '/v1/chat/completions' },
  { provider: 'anthropic', path: '/v1/messages' },
  { provider: 'google', path: '/v1/models/model-1:streamGenerateContent' },
];

const PATH = process.env['PATH'] ?? '';
const espeak = { program: 'espeak-ng', searchPath: PATH };
const pocketsphinx = { program: process.env['POCKETSPHINX_PATH'] ?? 'pocketsphinx_continuous', searchPath: PATH };
export const absent = { program: 'no-such-program', searchPath: '/usr/bin' };

export const registry = (options: Partial<RegistryOptions> = {}) =>
  new ModelRegistry({ limits: LIMITS, retryPolicy: DEFAULT_RETRY_POLICY, espeak, pocketsphinx, ...options });
export const build = (choices: Choices, limits = LIMITS) => registry({ limits }).build(choices);
