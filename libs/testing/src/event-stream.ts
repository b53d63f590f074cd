import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** A block of a stream of server-sent events: its fields, and its comment under ''. */
export type StreamBlock = Record<string, string>;

/** A client of server-sent events that reads no faster than a test lets it. */
export class EventStream {
  private text = '';
  /** Whether the server has ended the answer in an orderly way. */
  isEnded = false;
  /** Whether the connection was cut off. */
  isBroken = false;

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (part: string) => (this.text += part));
    answer.on('end', () => (this.isEnded = true));
    answer.on('error', () => (this.isBroken = true));
  }

  /** Resolves with the headers of the answer, whatever its status. */
  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const sending = request(url, { headers, agent: false });
    sending.end();
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    sending.on('error', () => undefined);
    return new EventStream(answer);
  }

  get status(): number | undefined {
    return this.answer.statusCode;
  }

  header(name: string): string | undefined {
    const value = this.answer.headers[name];
    return Array.isArray(value) ? value.join() : value;
  }

  /** What has arrived so far, without an incomplete last block. */
  get blocks(): StreamBlock[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .map((block) =>
        Object.fromEntries(block.split('\n').map((line) => [line.split(': ', 1)[0] ?? '', line.slice(line.indexOf(': ') + 2)])),
      );
  }

  /** The ids of the events so far. */
  get ids(): number[] {
    return this.blocks.flatMap(({ id, data }) => (data === undefined ? [] : [Number(id)]));
  }

  pause(): void {
    this.answer.pause();
  }

  resume(): void {
    this.answer.resume();
  }

  close(): void {
    this.answer.destroy();
  }
}
