import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebhookEvent, WebhookReceiver } from 'livekit-server-sdk';

export interface ReceivedWebhook {
  event: WebhookEvent;
  receivedAt: number;
  contentType?: string;
  /** The status with which this delivery was answered. */
  status: number;
}

/** A webhook endpoint for tests: checks every signature with the SDK and keeps all deliveries, including refused attempts. */
export class WebhookInbox {
  readonly received: ReceivedWebhook[] = [];
  /** Deliveries with a wrong signature or body; a test should find none. */
  readonly rejected: string[] = [];
  /** The status for each delivery; a test sets it to simulate a fault. */
  answer: (event: WebhookEvent, attempt: number) => number = () => 200;
  #server?: Server;
  #receiver?: WebhookReceiver;
  readonly #waiting = new Set<() => void>();

  /** Listens on a free port of loopback. Give the url to LiveKit, then its keys to `trust`. */
  async listen(): Promise<string> {
    this.#server = createServer((incoming, outgoing) => {
      let body = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (body += chunk));
      incoming.on('end', () => {
        const { authorization, 'content-type': contentType } = incoming.headers;
        void this.#take(body, authorization, contentType)
          .catch((error: unknown) => {
            this.rejected.push(`${String(error)} in ${body}`);
            return 401;
          })
          .then((status) => outgoing.writeHead(status).end());
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => this.#server?.once('listening', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  trust(apiKey: string, apiSecret: string): void {
    this.#receiver = new WebhookReceiver(apiKey, apiSecret);
  }

  async #take(body: string, authorization?: string, contentType?: string): Promise<number> {
    if (!this.#receiver) throw new Error('a webhook came before trust() was called');
    const event = await this.#receiver.receive(body, authorization);
    const attempt = 1 + this.received.filter((one) => one.event.id === event.id).length;
    const status = this.answer(event, attempt);
    this.received.push({ event, receivedAt: Date.now(), contentType, status });
    for (const check of this.#waiting) check();
    return status;
  }

  /** Accepted events of one room, in the order of arrival. */
  of(room: string): WebhookEvent[] {
    return this.received.filter(({ event, status }) => event.room?.name === room && status < 300).map(({ event }) => event);
  }

  /** Waits for the first accepted event of the room for which `isIt` returns true. */
  async waitFor(room: string, matches: (event: WebhookEvent) => boolean, timeoutMs = 60_000): Promise<WebhookEvent> {
    const find = () => this.of(room).find(matches);
    const found = find();
    if (found) return found;
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
      };
      const look = () => {
        const event = find();
        if (!event) return;
        done();
        resolve(event);
      };
      const timer = setTimeout(() => {
        done();
        const received = this.of(room).map(({ event, participant }) => `${event} ${participant?.identity ?? ''}`);
        reject(new Error(`no such webhook in ${timeoutMs} ms; of ${room} came: ${received.join(', ') || 'nothing'}`));
      }, timeoutMs);
      this.#waiting.add(look);
    });
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}
