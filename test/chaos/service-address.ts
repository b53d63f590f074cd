import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** One address for several processes, like a Kubernetes Service: a new connection goes to the next process, open connections stay. */
export class ServiceAddress {
  private readonly ports: number[] = [];
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.pass(socket));
  }

  static async open(): Promise<ServiceAddress> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return new ServiceAddress(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  add(port: number): void {
    this.ports.push(port);
  }

  remove(port: number): void {
    this.ports.splice(this.ports.indexOf(port), 1);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(socket: Socket): void {
    const port = this.ports[this.turn++ % this.ports.length];
    if (port === undefined) return void socket.destroy();
    const onward = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(from);
      from.once('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => undefined);
      from.pipe(to);
    }
  }
}
