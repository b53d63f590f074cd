import { connect, type Socket } from 'node:net';

/** Length of the overlap of two parts, in characters: longer than any text that a test waits for. */
const OVERLAP = 200;

/** The same clock as in the recorded provider's times. */
const now = () => performance.timeOrigin + performance.now();

/** A POST over a bare socket that records what arrives and when. No library in between can buffer the parts. */
export class RawPost {
  private readonly socket: Socket;
  private readonly parts: { at: number; text: string }[] = [];
  private waiting: { text: string; found: (at: number) => void }[] = [];

  constructor(address: string, headers: Record<string, string>, body: object) {
    const { hostname, port, pathname, host } = new URL(address);
    const text = JSON.stringify(body);
    const fields = { host, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...headers };
    this.socket = connect(Number(port), hostname);
    this.socket.setNoDelay(true).setEncoding('latin1');
    this.socket.write(
      `POST ${pathname} HTTP/1.1\r\n${Object.entries(fields)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${text}`,
    );
    this.socket.on('data', (more: string) => this.take(more)).on('error', () => undefined);
  }

  /** Resolves when the text has arrived, with the time in milliseconds since 1970, including fractions. @throws if it does not arrive in time */
  sees(text: string, timeoutMs = 60_000): Promise<number> {
    for (const [index, { at }] of this.parts.entries()) if (this.around(index).includes(text)) return Promise.resolve(at);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${text} did not come; what came last: ${this.received.slice(-500)}`)), timeoutMs);
      const found = (at: number) => {
        clearTimeout(timer);
        resolve(at);
      };
      this.waiting.push({ text, found });
    });
  }

  /** The body with the chunk encoding removed. */
  get body(): string {
    const bytes = Buffer.from(this.received.slice(this.received.indexOf('\r\n\r\n') + 4), 'latin1');
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf('\r\n', at);
      const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
      if (!(size > 0)) break;
      parts.push(bytes.subarray(end + 2, end + 2 + size));
      at = end + 2 + size + 2;
    }
    return Buffer.concat(parts).toString();
  }

  /** Closes the connection as a browser's tab does. @returns the time */
  hangUp(): number {
    const at = now();
    this.socket.destroy();
    return at;
  }

  /** Reads nothing from the socket until `resume`. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  private get received(): string {
    return this.parts.map(({ text }) => text).join('');
  }

  private take(text: string): void {
    const at = now();
    const last = this.parts.push({ at, text }) - 1;
    const seen = this.waiting.filter((it) => this.around(last).includes(it.text));
    this.waiting = this.waiting.filter((it) => !seen.includes(it));
    for (const { found } of seen) found(at);
  }

  /** A part preceded by the end of the previous ones, because a text may be split between two parts. */
  private around(index: number): string {
    let before = '';
    for (let at = index - 1; at >= 0 && before.length < OVERLAP; at--) before = (this.parts[at]?.text ?? '') + before;
    return before.slice(-OVERLAP) + (this.parts[index]?.text ?? '');
  }
}
