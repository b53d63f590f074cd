import { request, type Agent } from 'node:http';

const HEADERS = { 'tus-resumable': '1.0.0' };

export interface Answer {
  status: number;
  offset: number;
  headers: Headers;
}

const answerOf = ({ status, headers }: Response): Answer => ({
  status,
  headers,
  offset: Number(headers.get('upload-offset') ?? Number.NaN),
});

export const head = async (url: string, headers: Record<string, string> = {}) =>
  answerOf(await fetch(url, { method: 'HEAD', headers: { ...HEADERS, ...headers } }));

export async function patch(url: string, offset: number, body: Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'PATCH',
    headers: { ...HEADERS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...headers },
    body: new Uint8Array(body),
  });
  await answer.arrayBuffer();
  return answerOf(answer);
}

/** Announces all of `body`, sends the first `sent` bytes of it and disconnects. */
export function breakOff(url: string, offset: number, body: Buffer, sent: number): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      ...HEADERS,
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': body.length,
    };
    const sending = request(url, { method: 'PATCH', headers });
    sending.on('error', () => resolve());
    sending.on('close', () => resolve());
    sending.on('response', (response) => response.resume());
    sending.write(body.subarray(0, sent), () => setTimeout(() => sending.destroy(), 50));
  });
}

/** Sends over a connection of the agent. @returns the status, or 0 if the connection ended first or was silent for 50 s */
export function onConnection(agent: Agent, url: string, method: 'HEAD' | 'PATCH', body = Buffer.alloc(0)): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      ...HEADERS,
      ...(method === 'PATCH'
        ? { 'upload-offset': 0, 'content-type': 'application/offset+octet-stream', 'content-length': body.length }
        : {}),
    };
    const sending = request(url, { agent, method, headers, timeout: 50_000 });
    sending.on('timeout', () => sending.destroy()).on('error', () => resolve(0));
    sending.on('response', (response) => response.resume().on('close', () => resolve(response.statusCode ?? 0)));
    sending.end(body);
  });
}

/** Asks for the offset until there is an answer, then sends from there, `piece` bytes per request, until all is sent. */
export async function resume(url: string, file: Buffer, piece: number, timeoutMs = 90_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { status, offset } = await head(url).catch(() => ({ status: 503, offset: 0 }));
    if (status === 200 && offset === file.length) return;
    if (status === 200) await patch(url, offset, file.subarray(offset, offset + piece)).catch(() => undefined);
    else if (status < 500) throw new Error(`the upload is over: ${status}`);
    else await new Promise((done) => setTimeout(done, 200));
    if (Date.now() > deadline) throw new Error(`the upload stands at ${offset}`);
  }
}
