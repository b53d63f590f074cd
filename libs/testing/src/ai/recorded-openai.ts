import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { now, type ModelBehaviour, type ModelScript, type RecordedFile, type RecordedRequest } from './behaviour.js';
import { breakOff, brokenOff, sendChat, sendJson, wait } from './send.js';
import { embedding, speech } from './sound-and-meaning.js';
import { anthropicWire, googleWire, openAiWire } from './wires.js';

/**
 * Reads JSON or a form.
 * @throws if the body is neither
 */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  if (bytes.length === 0) return {};
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form.entries()) {
    fields[name] = typeof value === 'string' ? value : await toFile(value);
  }
  return fields;
}

const toFile = async (file: File): Promise<RecordedFile> => ({
  name: file.name,
  type: file.type,
  bytes: Buffer.from(await file.arrayBuffer()),
});

const WIRES = [openAiWire, anthropicWire, googleWire];
const CHAT = '/v1/chat/completions';

/**
 * An OpenAI-compatible provider on 127.0.0.1 that behaves as a test configures it and records its requests: chat (streamed or
 * whole), transcription, speech (WAV) and embeddings. It also accepts chats in the format of Anthropic and Gemini, with the same
 * base URL and the same behaviours.
 *
 *     const model = new RecordedOpenAi();
 *     const { url } = await model.start();           // the base URL, with /v1
 *     model.behave({ tokenDelayMs: 20 });            // for every request from now on
 *     model.behave([{ status: 500 }, {}]);           // one after the other; the last one stays
 *     model.behave((request) => ({ answer: '…' }));  // by request
 *     model.behave({ status: 429 }, '/v1/audio/speech');   // only one path; the others do not change
 *     model.asked()[0].abortedAt                     // when it saw that the client hung up, milliseconds since 1970
 *     await model.stop();
 *
 * Tokens are words: the usage counts those of the prompt and those it sent, so that a test can compute it in advance.
 */
export class RecordedOpenAi {
  readonly requests: RecordedRequest[] = [];
  private readonly scripts = new Map<string, { script: ModelScript; taken: number }>();
  private readonly server: Server;

  constructor() {
    this.server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      this.serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
    });
  }

  /** @param port 0 for any free port */
  start(port = 0): Promise<{ url: string }> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', () => resolve({ url: this.url }));
    });
  }

  /** The base URL, including /v1. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Stops the server and closes all open connections. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** @param path of the requests to which the script applies; by default all paths without a script of their own */
  behave(script: ModelScript, path = ''): void {
    this.scripts.set(path, { script, taken: 0 });
  }

  /** Forgets requests and scripts. */
  reset(): void {
    this.requests.length = 0;
    this.scripts.clear();
  }

  /** The requests to one path; default: OpenAI's chat. */
  asked(path = CHAT): RecordedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  private behaviourFor(request: RecordedRequest): ModelBehaviour {
    const entry = this.scripts.get(request.path) ?? this.scripts.get('');
    if (!entry) return {};
    if (typeof entry.script === 'function') return entry.script(request);
    if (!Array.isArray(entry.script)) return entry.script;
    return entry.script[Math.min(entry.taken++, entry.script.length - 1)] ?? {};
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const request: RecordedRequest = { method, path: url.split('?')[0] ?? '', headers, body: {}, at: now(), tokensSent: 0 };
    this.requests.push(request);
    response.on('close', () => {
      if (response.writableFinished) request.finishedAt = now();
      else if (!brokenOff.has(response)) request.abortedAt = now();
    });
    request.body = await readBody(incoming);
    await answer(request, this.behaviourFor(request), response);
  }
}

async function answer(request: RecordedRequest, behaviour: ModelBehaviour, response: ServerResponse): Promise<void> {
  const { path, body } = request;
  const { status, retryAfterSeconds, isSilent } = behaviour;
  const wire = WIRES.find((wire) => wire.isChat(path));
  if (isSilent) return;
  if (status !== undefined) {
    if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
    return sendJson(response, (wire ?? openAiWire).error(status), status);
  }
  if (wire) return sendChat(wire, request, behaviour, response);
  await wait(behaviour.firstTokenDelayMs, response);
  request.firstTokenAt = now();
  if (behaviour.isMalformed) return void response.setHeader('content-type', 'application/json').end('{"data": [');
  if (behaviour.breakOffAfter !== undefined) return breakOff(response);
  if (path.endsWith('/audio/transcriptions')) {
    const text = typeof behaviour.answer === 'function' ? behaviour.answer(request) : (behaviour.answer ?? 'This is what was said.');
    return sendJson(response, { text, language: 'english', duration: 1, segments: [] });
  }
  if (path.endsWith('/audio/speech')) return void response.setHeader('content-type', 'audio/wav').end(speech(String(body['input'])));
  if (path.endsWith('/embeddings')) return sendJson(response, embeddings(body, behaviour));
  return sendJson(response, openAiWire.error(404), 404);
}

function embeddings(body: Record<string, unknown>, { hasNoUsage }: ModelBehaviour) {
  const input = [body['input']].flat().map(String);
  const tokens = input.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  return {
    object: 'list',
    model: body['model'],
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: embedding(text) })),
    ...(hasNoUsage ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}
