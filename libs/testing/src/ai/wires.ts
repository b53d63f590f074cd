import { tokensOf } from './behaviour.js';

type Body = Record<string, unknown>;

/** How one provider writes a chat: frames of server-sent events, or one JSON object. */
export interface ChatWire {
  /** Whether this is the path of the provider's chats. */
  isChat(path: string): boolean;
  isStreamed(path: string, body: Body): boolean;
  begin(body: Body): string[];
  reasoning(body: Body, token: string): string;
  token(body: Body, token: string): string;
  /** The finish reason and the usage. */
  end(body: Body, tokensSent: number, hasUsage: boolean): string[];
  whole(body: Body, text: string): object;
  error(status: number): object;
}

/** A frame of server-sent events. */
export const frame = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** All text in a message, or in the whole prompt. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { text, content, parts } = value as { text?: unknown; content?: unknown; parts?: unknown };
  return [text, content, parts].flatMap(textsIn);
}

const messagesOf = ({ messages, contents }: Body) =>
  (Array.isArray(messages) ? messages : Array.isArray(contents) ? contents : []) as unknown[];

/** The text of the last message, without what the tutor quotes before the question. */
export const questionOf = (body: Body): string => textsIn(messagesOf(body).at(-1)).join('').split('\n# Question\n').at(-1) ?? '';

/** Counted in words, so that a test can compute the number in advance. */
function promptTokens(body: Body): number {
  const texts = [body['system'], body['systemInstruction'], messagesOf(body)].flatMap(textsIn);
  return texts.reduce((sum, text) => sum + tokensOf(text).length, 0);
}

const modelOf = (body: Body) => `${typeof body['model'] === 'string' ? body['model'] : 'model'}-recorded`;

const event = (type: string, fields: object = {}) => frame({ type, ...fields }, type);
const message = (body: Record<string, unknown>) => ({
  id: 'msg_recorded',
  type: 'message',
  role: 'assistant',
  model: modelOf(body),
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: promptTokens(body), output_tokens: 1 },
});

export const anthropicWire: ChatWire = {
  isChat: (path) => path.endsWith('/messages'),
  isStreamed: (_, body) => body['stream'] === true,
  begin: (body) => [
    event('message_start', { message: message(body) }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  reasoning: () => event('ping'),
  token: (_, token) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: token } }),
  end: (_, tokensSent) => [
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: tokensSent } }),
    event('message_stop'),
  ],
  whole: (body, text) => ({
    ...message(body),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: promptTokens(body), output_tokens: tokensOf(text).length },
  }),
  error: (status) => ({
    type: 'error',
    error: {
      type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'api_error' : 'invalid_request_error',
      message: `recorded failure ${status}`,
    },
  }),
};

const answer = (parts: object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
  modelVersion: 'gemini-recorded',
});
const geminiUsage = (body: Body, tokensSent: number) => ({
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
  end: (body, tokensSent, hasUsage) => [frame({ ...answer([{ text: '' }], 'STOP'), ...(hasUsage ? geminiUsage(body, tokensSent) : {}) })],
  whole: (body, text) => ({ ...answer([{ text }], 'STOP'), ...geminiUsage(body, tokensOf(text).length) }),
  error: (status) => ({
    error: {
      code: status,
      message: `recorded failure ${status}`,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT',
    },
  }),
};

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
