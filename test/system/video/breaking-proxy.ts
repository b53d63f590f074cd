import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Bytes per second: slow enough that something can happen during a transfer. */
const RATE = 4 * 1024 * 1024;

/**
 * A proxy whose connections break: it forwards a given number of bytes from each client, then closes both sides. When the list is used up,
 * it forwards everything.
 */
export class BreakingProxy {
  broken = 0;
  private held: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
  ) {}

  static async before(origin: string, breakAfter: number[]): Promise<BreakingProxy> {
    const { hostname, port } = new URL(origin);
    const sockets = new Set<Socket>();
    const server = createServer().listen(0, '127.0.0.1');
    const proxy = new BreakingProxy(server, sockets);
    server.on('connection', (client) => {
      const target = connect(Number(port), hostname);
      let passed = 0;
      for (const socket of [client, target]) {
        sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => (client.destroy(), target.destroy(), sockets.delete(socket)));
      }
      client.on('data', (bytes) => {
        const most = (breakAfter[0] ?? Infinity) - passed;
        target.write(bytes.subarray(0, Math.max(0, most)));
        passed += bytes.length;
        client.pause();
        setTimeout(() => void proxy.held.then(() => client.resume()), (bytes.length / RATE) * 1_000);
        if (bytes.length <= most) return;
        breakAfter.shift();
        proxy.broken += 1;
        // Bytes that were already written are still delivered before the connection ends.
        target.end();
        client.destroy();
      });
      target.pipe(client);
    });
    await new Promise((resolve) => server.once('listening', resolve));
    return proxy;
  }

  /** The same address through this proxy. */
  url(address: string): string {
    const url = new URL(address);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Forwards nothing until the work is done; bytes in transit stay in the proxy. */
  hold<T>(work: Promise<T>): Promise<T> {
    this.held = work.catch(() => undefined);
    return work;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
