import type { ServerResponse } from 'node:http';
import { now, tokensOf, type ModelBehaviour, type RecordedRequest } from './behaviour.js';
import { frame, questionOf, type ChatWire } from './wires.js';

/** Responses whose connection the script broke off. */
export const brokenOff = new WeakSet<ServerResponse>();

const MALFORMED_AFTER = 2;

export async function sendChat(
  wire: ChatWire,
  request: RecordedRequest,
  behaviour: ModelBehaviour,
  response: ServerResponse,
): Promise<void> {
  const { path, body } = request;
  const { answer = (asked: RecordedRequest) => `You asked: ${questionOf(asked.body).slice(-200)}` } = behaviour;
  const text = typeof answer === 'string' ? answer : answer(request);
  if (wire.isStreamed(path, body)) return streamChat(wire, text, request, behaviour, response);
  await wait(behaviour.firstTokenDelayMs, response);
  request.firstTokenAt = now();
  if (behaviour.breakOffAfter !== undefined) return breakOff(response);
  if (behaviour.isMalformed) return void response.setHeader('content-type', 'application/json').end('{"choices": [');
  request.tokensSent = tokensOf(text).length;
  sendJson(response, wire.whole(body, text));
}

async function streamChat(
  wire: ChatWire,
  text: string,
  request: RecordedRequest,
  behaviour: ModelBehaviour,
  response: ServerResponse,
): Promise<void> {
  const { body } = request;
  const {
    tokenDelayMs = 0,
    firstTokenDelayMs,
    breakOffAfter,
    endAfter,
    stallAfter,
    holdAfter,
    resumes,
    isMalformed,
    hasNoUsage = false,
    reasoning = '',
  } = behaviour;
  const send = (...frames: string[]) => frames.forEach((text) => response.destroyed || response.write(text));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  await wait(firstTokenDelayMs, response);
  send(...wire.begin(body));
  for (const token of tokensOf(reasoning)) {
    send(wire.reasoning(body, token));
    await wait(tokenDelayMs, response);
  }
  const tokens = tokensOf(text);
  for (let sent = 0; sent <= tokens.length; sent++) {
    if (response.destroyed) return;
    if (sent === breakOffAfter) return breakOff(response);
    if (sent === endAfter) return void response.end();
    if (sent === stallAfter) return;
    if (sent === holdAfter) await resumes;
    if (sent === MALFORMED_AFTER && isMalformed) send(frame('{"choices": [{"delta"'));
    const token = tokens[sent];
    if (token === undefined) break;
    request.firstTokenAt ??= now();
    send(wire.token(body, token));
    request.tokensSent += 1;
    await wait(tokenDelayMs, response);
  }
  send(...wire.end(body, request.tokensSent, !hasNoUsage));
  response.end();
}

/** Resolves early if the client hangs up. */
export function wait(ms: number | undefined, response: ServerResponse): Promise<void> {
  if (ms === undefined || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    if (ms === 0) {
      setImmediate(resolve);
      return;
    }
    const done = () => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.once('close', done);
  });
}

export function breakOff(response: ServerResponse): void {
  brokenOff.add(response);
  // The written data has to be sent before the socket is destroyed.
  setImmediate(() => response.destroy());
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
