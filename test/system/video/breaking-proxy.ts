import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Bytes a second: slow enough for something to happen on the way. */
const RATE = 4 * 1024 * 1024;

/** A connection that breaks: passes so many bytes of each client's sending on, then hangs up on both; whole once the list is used up. */
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
        // What was written is on its way before the connection ends.
        target.end();
        client.destroy();
      });
      target.pipe(client);
    });
    await new Promise((resolve) => server.once('listening', resolve));
    return proxy;
  }

  /** The same address by way of this. */
  url(address: string): string {
    const url = new URL(address);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Passes nothing on until the work is done: what is on its way stays so. */
  hold<T>(work: Promise<T>): Promise<T> {
    this.held = work.catch(() => undefined);
    return work;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
