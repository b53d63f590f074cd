import { tokensOf } from './behaviour.js';
import { frame, promptTokens, type ChatWire } from './wire.js';

type Body = Record<string, unknown>;

const answer = (parts: object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
  modelVersion: 'gemini-recorded',
});
const usage = (body: Body, tokensSent: number) => ({
  usageMetadata: {
    promptTokenCount: promptTokens(body),
    candidatesTokenCount: tokensSent,
    totalTokenCount: promptTokens(body) + tokensSent,
  },
});

/** Gemini's format. The path contains the model and whether the answer is streamed. */
export const googleWire: ChatWire = {
  isChat: (path) => /:(streamG|g)enerateContent$/.test(path),
  isStreamed: (path) => path.endsWith(':streamGenerateContent'),
  begin: () => [],
  reasoning: (_, token) => frame(answer([{ text: token, thought: true }])),
  token: (_, token) => frame(answer([{ text: token }])),
  end: (body, tokensSent, hasUsage) => [frame({ ...answer([{ text: '' }], 'STOP'), ...(hasUsage ? usage(body, tokensSent) : {}) })],
  whole: (body, text) => ({ ...answer([{ text }], 'STOP'), ...usage(body, tokensOf(text).length) }),
  error: (status) => ({
    error: {
      code: status,
      message: `recorded failure ${status}`,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT',
    },
  }),
};
