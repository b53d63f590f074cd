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
export function promptTokens(body: Body): number {
  const texts = [body['system'], body['systemInstruction'], messagesOf(body)].flatMap(textsIn);
  return texts.reduce((sum, text) => sum + tokensOf(text).length, 0);
}

export const modelOf = (body: Body) => `${typeof body['model'] === 'string' ? body['model'] : 'model'}-recorded`;
