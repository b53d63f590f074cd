import { randomUUID } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setRecordingBucket, type RpcOutput } from '@classroom/contracts';
import type { Bucket } from '@classroom/testing';
import type { RecordingFixture } from './recording-fixture.js';

/** What a key of a school may do in its own bucket. */
export const WRITE_ONLY = ['s3:PutObject', 's3:AbortMultipartUpload'];

/** A school's bucket at the real storage, with a user that may only write, behind an address that a test can close. */
export class SchoolBucket {
  readonly organizationId = `org_${randomUUID()}`;
  readonly secretAccessKey = `secret-of-school-${randomUUID()}`;

  private constructor(
    private readonly fixture: RecordingFixture,
    readonly name: string,
    readonly accessKeyId: string,
    /** Accessed with the root key. */
    readonly bucket: Bucket,
    readonly gate: Gate,
  ) {}

  static async create(fixture: RecordingFixture): Promise<SchoolBucket> {
    const name = `school-${randomUUID().slice(0, 8)}`;
    const gate = await Gate.before(fixture.stack.urls.s3);
    const school = new SchoolBucket(fixture, name, `key-of-${name}`, fixture.bucket.sibling(name), gate);
    await fixture.bucket.createSibling(name, school);
    await school.bucket.allow(school.accessKeyId, WRITE_ONLY);
    return school;
  }

  get ids(): { organizationId: string } {
    return { organizationId: this.organizationId };
  }

  /** Sets it as the organization's bucket. */
  set(changes: Partial<Parameters<typeof this.input>[0]> = {}): Promise<RpcOutput<typeof setRecordingBucket>> {
    return this.fixture.call(setRecordingBucket, this.input(changes));
  }

  input(changes: { endpoint?: string; bucket?: string; prefix?: string; accessKeyId?: string; secretAccessKey?: string }) {
    const { organizationId, accessKeyId, secretAccessKey } = this;
    const key = { accessKeyId, secretAccessKey };
    return { organizationId, endpoint: this.gate.url, bucket: this.name, region: 'us-east-1', prefix: 'classes/2026', ...key, ...changes };
  }

  /** Keys of all objects except the test object. */
  async keys(): Promise<string[]> {
    return [...(await this.bucket.list('')).keys()].filter((key) => !key.endsWith('virtual-classroom-test.txt'));
  }
}

/** Passes connections on to a server, or refuses them. */
export class Gate {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  private constructor(private readonly target: URL) {}

  static async before(url: string): Promise<Gate> {
    const gate = new Gate(new URL(url));
    await gate.open();
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    const { hostname, port } = this.target;
    const server = createServer((incoming) => {
      const outgoing = connect({ host: hostname, port: Number(port) });
      for (const [one, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        this.sockets.add(one);
        one.on('error', () => other.destroy()).on('close', () => this.sockets.delete(one));
        one.pipe(other);
      }
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }
}
