// HTTP/1.1 over bare sockets. The bytes of each request are prepared in advance, so that the load generator takes little CPU from what is measured.
import net from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

export function request(method: string, address: string, headers: Record<string, string>, body?: string | object) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const all = { host: '127.0.0.1', 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers };
  if (body === undefined) Reflect.deleteProperty(all, 'content-type');
  const head = Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.from(`${method} ${address} HTTP/1.1\r\n${head}\r\n${text}`);
}

/** A connection that sends one request at a time. */
class Line {
  private readonly socket: net.Socket;
  private received: Buffer = Buffer.alloc(0);
  private resolve: ((status: number) => void) | undefined;
  private reject: ((error: Error) => void) | undefined;

  constructor(port: number) {
    this.socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('error', (error) => this.reject?.(error));
    this.socket.on('close', () => this.reject?.(new Error('the connection was closed')));
  }

  /** @returns the HTTP status */
  send(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.socket.write(bytes);
    });
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) return this.reject?.(new Error('an answer without a length'));
    if (this.received.length < end + END_OF_HEAD.length + length) return;
    this.received = Buffer.alloc(0);
    this.resolve?.(Number(head.slice(9, 12)));
  }

  close() {
    this.reject = undefined;
    this.socket.destroy();
  }
}

/**
 * Sends each request once.
 * @returns the duration of each, in milliseconds
 * @throws {Error} if a request does not succeed
 */
export async function sendAll(port: number, requests: readonly Buffer[], connections: number): Promise<number[]> {
  const took: number[] = [];
  let next = 0;
  const one = async () => {
    const line = new Line(port);
    try {
      while (next < requests.length) {
        const started = performance.now();
        const status = await line.send(requests[next++]);
        if (status >= 300) throw new Error(`an answer of ${status} to ${requests[next - 1]?.toString('latin1', 0, 80)}`);
        took.push(performance.now() - started);
      }
    } finally {
      line.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return took;
}
