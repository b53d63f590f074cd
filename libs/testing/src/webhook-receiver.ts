import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from './eventually.js';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes, because they are what was signed. */
  body: string;
  event: { id: string; type: string; timestamp: string; sequence: number | null; data: Record<string, unknown> };
  at: number;
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Delay before the answer, in milliseconds. */
  delayMs?: number;
}

/** A school's backend: receives webhooks on this machine, keeps them, and answers as configured. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  answer: (webhook: ReceivedWebhook) => Answer = () => ({});

  /** By path: how many deliveries are open now, and the maximum so far. */
  private readonly open = new Map<string, { now: number; most: number }>();

  private constructor(private readonly server: Server) {}

  /** Starts on the given port, or on any free one. */
  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = Buffer.concat(pieces).toString('utf8');
        const event = JSON.parse(body) as ReceivedWebhook['event'];
        void receiver.take({ path: request.url ?? '', headers: request.headers, body, event, at: Date.now() }, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The webhooks that arrived at a path, of one type if `type` is given. */
  on(path: string, type?: string): ReceivedWebhook[] {
    return this.received.filter((it) => it.path === path && (type === undefined || it.event.type === type));
  }

  /** The maximum number of simultaneous deliveries to a path. */
  mostAtOnce(path: string): number {
    return this.open.get(path)?.most ?? 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(webhook: ReceivedWebhook, response: ServerResponse): Promise<void> {
    const open = this.open.get(webhook.path) ?? { now: 0, most: 0 };
    this.open.set(webhook.path, open);
    open.most = Math.max(open.most, (open.now += 1));
    response.once('close', () => (open.now -= 1));
    this.received.push(webhook);
    const { status = 200, headers = {}, body = 'ok', delayMs = 0 } = this.answer(webhook);
    await sleep(delayMs);
    response.writeHead(status, headers).end(body);
  }
}
