import net from 'node:net';

interface BoundHandle {
  readonly fd: number;
  close(): void;
}

/** The internal function with which node:cluster binds. The public API has no way to bind without accepting connections. */
type Bind = (host: string, port: number, addressType: 4, fd: -1) => BoundHandle | number;
const { _createServerHandle: bind } = net as typeof net & { _createServerHandle: Bind };

/**
 * A port that stays bound while the process that serves it restarts: connections wait in the kernel's queue instead of being refused. LiveKit drops
 * a webhook about 15 s after the first refusal, but waits for minutes on an established connection. This class accepts nothing.
 */
export class HeldSocket {
  private readonly host: string;
  private readonly port: number;
  private handle: BoundHandle | undefined;

  /** @param host an IPv4 address */
  constructor(host: string, port: number) {
    this.host = host;
    this.port = port;
  }

  /** @returns the file descriptor for a child to listen on @throws if the port is taken */
  open(): number {
    if (!this.handle) {
      const made = bind(this.host, this.port, 4, -1);
      if (typeof made === 'number') throw new Error(`port ${this.port} can't be bound (${made})`);
      this.handle = made;
    }
    return this.handle.fd;
  }

  /** From now on the kernel refuses connections while no process listens. */
  close(): void {
    this.handle?.close();
    this.handle = undefined;
  }
}
