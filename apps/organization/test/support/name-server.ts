import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const TXT = 16;
const NAME_ERROR = 3;
export const SERVER_FAILURE = 2;

/** A name server for TXT records. */
export class NameServer {
  /** By name. A number is an error code. */
  readonly records = new Map<string, string[] | number>();
  /** The names that were asked for. */
  readonly asked: string[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port, address }) => socket.send(this.answer(query), port, address));
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): void {
    this.socket.close();
  }

  private answer(query: Buffer): Buffer {
    const { name, end } = questionOf(query);
    this.asked.push(name);
    const found = this.records.get(name) ?? NAME_ERROR;
    const values = typeof found === 'number' ? [] : found;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // A recursive answer, with its error code, to one question.
    header.writeUInt16BE(0x8180 | (typeof found === 'number' ? found : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    return Buffer.concat([header, query.subarray(12, end), ...values.map(recordOf)]);
  }
}

/** @param query with one question, after which `end` is */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** For the name of the question, valid for no time. In two parts, as a long value is. */
function recordOf(value: string): Buffer {
  const parts = [value.slice(0, 5), value.slice(5)].map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]));
  const data = Buffer.concat(parts);
  const head = Buffer.from([0xc0, 12, 0, TXT, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 255]);
  return Buffer.concat([head, data]);
}
