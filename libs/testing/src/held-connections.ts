import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections to an HTTP server that stay open after their first answer, until `close`. */
export class HeldConnections {
  private sockets: Socket[] = [];

  /**
   * @param url asked by GET
   * @param path that is requested
   */
  constructor(
    private readonly url: string,
    private readonly path: string,
  ) {}

  /**
   * Opens connections at the same time, and sends a request over each.
   * @param from the clients' own address on loopback
   * @returns how many the server answered; it closed the others without an answer
   */
  async open(from: string, count: number): Promise<number> {
    const answers = await Promise.all(Array.from({ length: count }, () => this.ask(from)));
    return answers.filter((isAnswered) => isAnswered).length;
  }

  /** Closes `count` of the connections, by default all. */
  close(count = this.sockets.length): void {
    for (const socket of this.sockets.splice(0, count)) socket.destroy();
  }

  private async ask(localAddress: string): Promise<boolean> {
    const { hostname: host, port } = new URL(this.url);
    const socket = connect({ host, port: Number(port), localAddress });
    const closed = once(socket, 'close').then(
      () => false,
      () => false,
    );
    const answered = once(socket, 'data').then(
      () => true,
      () => false,
    );
    socket.write(`GET ${this.path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    const isAnswered = await Promise.race([answered, closed]);
    if (isAnswered) this.sockets.push(socket);
    return isAnswered;
  }
}
