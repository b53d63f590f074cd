import { tokensOf } from './behaviour.js';
import { frame, modelOf, promptTokens, type ChatWire } from './wire.js';

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
