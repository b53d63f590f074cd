import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A connection on which an attacker writes what no client library would. */
export class Wire {
  /** All that was received. */
  received = '';
  readonly closed: Promise<void>;

  private constructor(private readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => (this.received += bytes.toString('latin1')));
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect(port, '127.0.0.1');
    const wire = new Wire(socket);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return wire;
  }

  write(text: string | Buffer): this {
    if (this.socket.writable) this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
    return this;
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  end(): void {
    this.socket.destroy();
  }

  /** Resolves when the connection has received this text after position `from`, or is closed. */
  async until(text: string, from = 0): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      const look = () => {
        if (!this.received.includes(text, from)) return;
        this.socket.off('data', look);
        resolve();
      };
      this.socket.on('data', look);
      look();
    });
    await Promise.race([arrived, this.closed]);
  }
}

const MIB = 1024 ** 2;
const [HEAD, PART, TAIL] = ['{"audio":"', Buffer.alloc(MIB, 'A'), '"}'];

/** Sends JSON of so many MiB from one buffer: encoding large bodies would keep the attacker busier than the gateway. @returns the answer */
export async function postLarge(port: number, path: string, mib: number, headers: Record<string, string>): Promise<string> {
  const wire = await Wire.open(port);
  const length = `${HEAD.length + mib * MIB + TAIL.length}`;
  const all = { Host: 'gateway', 'Content-Type': 'application/json', 'Content-Length': length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  wire.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${HEAD}`);
  for (let sent = 0; sent < mib; sent++) wire.write(PART);
  await wire.write(TAIL).until('}');
  wire.end();
  return wire.received;
}

/** NATS's own protocol, with one user. */
export class NatsWire {
  private constructor(private readonly wire: Wire) {}

  /** Resolves after the server accepted or refused the user. */
  static async open(port: number, user: string, pass: string): Promise<NatsWire> {
    const wire = await Wire.open(port);
    const nats = new NatsWire(wire.write(`CONNECT ${JSON.stringify({ verbose: false, headers: true, user, pass })}\r\n`));
    await nats.answered();
    return nats;
  }

  /** Everything that the server sent. */
  get received(): string {
    return this.wire.received;
  }

  publish(subjects: readonly string[], payload = '{}', reply = ''): Promise<string[]> {
    return this.refused(subjects.map((subject) => `PUB ${subject} ${reply} ${payload.length}\r\n${payload}\r\n`));
  }

  subscribe(subjects: readonly string[]): Promise<string[]> {
    return this.refused(subjects.map((subject, n) => `SUB ${subject} ${n + 1}\r\n`));
  }

  end(): void {
    this.wire.end();
  }

  /** @returns the subjects that the server refused, sorted */
  private async refused(commands: readonly string[]): Promise<string[]> {
    const from = this.wire.received.length;
    this.wire.write(commands.join(''));
    await this.answered();
    const refusals = this.wire.received.slice(from).matchAll(/-ERR 'Permissions Violation for \w+(?: \w+)? to "([^"]+)"/gi);
    return [...refusals].map(([, subject = '']) => subject).sort();
  }

  private async answered(): Promise<void> {
    const from = this.wire.received.length;
    await this.wire.write('PING\r\n').until('PONG', from);
  }
}

/** Redis's protocol, one command at a time. */
export class RedisWire {
  private constructor(private readonly wire: Wire) {}

  static async open(url: string): Promise<RedisWire> {
    const { port, password, pathname, username } = new URL(url);
    const redis = new RedisWire(await Wire.open(Number(port)));
    await redis.command('AUTH', ...(username ? [username] : []), password);
    if (pathname.length > 1) await redis.command('SELECT', pathname.slice(1));
    return redis;
  }

  /** @returns the answer as it was sent */
  async command(...words: string[]): Promise<string> {
    const from = this.wire.received.length;
    const encoded = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
    // The echo that follows marks the end of the answer.
    const mark = `end-of-${from}`;
    this.wire.write(`*${words.length}\r\n${encoded}*2\r\n$4\r\nECHO\r\n$${mark.length}\r\n${mark}\r\n`);
    await this.wire.until(`${mark}\r\n`, from);
    return this.wire.received.slice(from, this.wire.received.lastIndexOf('$', this.wire.received.lastIndexOf(mark)));
  }

  /** The strings of an answer that is a list. */
  async list(...words: string[]): Promise<string[]> {
    return [...(await this.command(...words)).matchAll(/\$\d+\r\n([^\r]*)\r\n/g)].map(([, value = '']) => value);
  }

  end(): void {
    this.wire.end();
  }
}

/** A JWT that the attacker signed. Without a secret it has the algorithm `none` and no signature. */
export function forged(claims: object, secret?: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: secret === undefined ? 'none' : 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${secret === undefined ? '' : createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
