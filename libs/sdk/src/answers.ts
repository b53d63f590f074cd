import { ConnectionError, VirtualClassroomError } from './errors.js';

/** A part of a model's answer, in the order in which it is made. */
export type AnswerEvent =
  | { type: 'text'; text: string }
  /** Base64. */
  | { type: 'audio'; audio: string; mimeType: string }
  | { type: 'usage'; usage: { inputTokens: number; outputTokens: number } };

/** Lines out of bytes that are cut anywhere, within a character too; the last may have no end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const [end = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(end);
    if (others.length === 0) continue;
    // Joined once: a line of sound comes in many chunks.
    yield withoutReturn(begun.join(''));
    begun = [others.pop() ?? ''];
    yield* others.map(withoutReturn);
  }
  const last = begun.join('') + decoder.decode();
  if (last !== '') yield withoutReturn(last);
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** The agent's: a JSON object to each line. @throws VirtualClassroomError where it breaks off, ConnectionError where its end is missing */
export async function* fromNdjson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerEvent> {
  for await (const line of linesOf(chunks)) {
    if (line === '') continue;
    const event = parse(line) as AnswerEvent | { type: 'done' } | { type: 'error'; error: string; message: string };
    if (event.type === 'done') return;
    if (event.type === 'error') throw brokenOff(event);
    yield event;
  }
  throw cutShort();
}

/** The tutor's: server-sent events. @throws as `fromNdjson` */
export async function* fromServerSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerEvent> {
  for await (const data of dataOf(linesOf(chunks))) {
    if (data === '[DONE]') return;
    const event = parse(data) as TutorData;
    if (event.error !== undefined) throw brokenOff({ error: event.error, message: event.message ?? event.error });
    if (event.usage) yield { type: 'usage', usage: event.usage };
    else if (event.audio !== undefined) yield { type: 'audio', audio: event.audio, mimeType: event.mimeType ?? 'audio/wav' };
    else yield { type: 'text', text: event.text ?? '' };
  }
  throw cutShort();
}

interface TutorData {
  text?: string;
  audio?: string;
  mimeType?: string;
  usage?: { inputTokens: number; outputTokens: number } | null;
  error?: string;
  message?: string;
}

/** An event's data are its `data:` lines; comments and other fields are for others. */
async function* dataOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's own words quote the answer, which is somebody's conversation.
    throw new ConnectionError('The stream has a part that is not JSON', { cause: (cause as Error).name });
  }
}

const brokenOff = ({ error: code, message }: { error: string; message: string }) =>
  new VirtualClassroomError(message, { code, status: 200, requestId: undefined, details: [], retryAfterMs: undefined });

const cutShort = () => new ConnectionError('The stream ended before its last part');
