import { tokensOf } from './behaviour.js';
import { frame, modelOf, promptTokens, type ChatWire } from './wire.js';

type Body = Record<string, unknown>;

function usage(body: Body, tokensSent: number) {
  const prompt = promptTokens(body);
  return { prompt_tokens: prompt, completion_tokens: tokensSent, total_tokens: prompt + tokensSent };
}

const head = (object: string, body: Body) => ({ id: 'chatcmpl-recorded', object, created: 1_700_000_000, model: modelOf(body) });

const chunk = (body: Body, delta: object, finishReason: string | null = null) =>
  frame({ ...head('chat.completion.chunk', body), choices: [{ index: 0, delta, finish_reason: finishReason }] });

export const openAiWire: ChatWire = {
  isChat: (path) => path.endsWith('/chat/completions'),
  isStreamed: (_, body) => body['stream'] === true,
  begin: (body) => [chunk(body, { role: 'assistant', content: '' })],
  reasoning: (body, token) => chunk(body, { reasoning_content: token }),
  token: (body, token) => chunk(body, { content: token }),
  end: (body, tokensSent, hasUsage) => {
    const { include_usage: isAsked } = (body['stream_options'] ?? {}) as { include_usage?: boolean };
    const usageChunk = frame({ ...head('chat.completion.chunk', body), choices: [], usage: usage(body, tokensSent) });
    return [chunk(body, {}, 'stop'), ...(isAsked && hasUsage ? [usageChunk] : []), frame('[DONE]')];
  },
  whole: (body, text) => ({
    ...head('chat.completion', body),
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: usage(body, tokensOf(text).length),
  }),
  error: (status) => ({
    error: {
      message: `recorded failure ${status}`,
      type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error',
      code: status === 429 ? 'rate_limit_exceeded' : null,
      param: null,
    },
  }),
};
