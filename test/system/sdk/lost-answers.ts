import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A forwarded request, as its sender wrote it. */
interface Passed {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
}

/** A proxy in front of the gateway that forwards every request and can drop answers by closing the connection. */
export class LostAnswers {
  readonly passed: Passed[] = [];
  private lost = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(origin: string): Promise<LostAnswers> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const way = new LostAnswers(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      way.passed.push({ method, path, headers });
      const onward = request(`${origin}${path}`, { method, headers, agent: false }, (answer) => {
        if (way.lost > 0) {
          way.lost -= 1;
          answer.resume().once('end', () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    return way;
  }

  /** Drops the next answers. */
  lose(answers: number): void {
    this.lost = answers;
    this.passed.splice(0);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
