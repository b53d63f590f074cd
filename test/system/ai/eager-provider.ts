import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

const WORD = 'x'.repeat(4_000);

/** A provider that sends a very long answer as fast as the connection accepts it. */
export class EagerProvider {
  words = 0;
  private readonly server: Server;

  constructor(private readonly most: number) {
    this.server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      Readable.from(this.say(), { highWaterMark: 1 }).pipe(response);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private *say(): Generator<string> {
    for (; this.words < this.most; this.words++) yield chunk({ content: `${this.words} ${WORD}` });
    yield chunk({}, 'stop');
    yield 'data: [DONE]\n\n';
  }
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'eager', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
