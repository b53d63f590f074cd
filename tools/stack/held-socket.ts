import net from 'node:net';

interface BoundHandle {
  readonly fd: number;
  close(): void;
}

/** What node:cluster binds with. The public API has no way to bind without accepting. */
type Bind = (host: string, port: number, addressType: 4, fd: -1) => BoundHandle | number;
const { _createServerHandle: bind } = net as typeof net & { _createServerHandle: Bind };

/**
 * A port that stays bound while the process that serves it is started again: connections wait in the kernel's queue instead of being refused.
 * LiveKit drops a webhook some 15 s after the first refusal, and waits for minutes where it is connected. Nothing is accepted here.
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

  /** @returns the file descriptor, for a child to listen on @throws when the port is taken */
  open(): number {
    if (!this.handle) {
      const made = bind(this.host, this.port, 4, -1);
      if (typeof made === 'number') throw new Error(`port ${this.port} can't be bound (${made})`);
      this.handle = made;
    }
    return this.handle.fd;
  }

  /** From here on connections are refused as soon as no process listens. */
  close(): void {
    this.handle?.close();
    this.handle = undefined;
  }
}
