import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { CONSUMERS, STREAMS } from '@classroom/contracts';
import { TestStack } from '@classroom/testing';
import { applyStreams, isOlder } from '../src/index.js';

describe('the declarations of streams', () => {
  let stack: TestStack;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  beforeAll(async () => {
    stack = await TestStack.start({ parts: ['nats'], apps: [] });
    connection = await connect(stack.nats);
    manager = await jetstreamManager(connection);
  });
  afterAll(async () => {
    await connection?.close();
    await stack?.stop();
  });

  const fold = Object.values(CONSUMERS).find(({ durable }) => durable === 'billing-fold') ?? Object.values(CONSUMERS)[0]!;
  const subjects = async () => (await manager.consumers.info(fold.stream, fold.durable)).config.filter_subjects?.length;
  /** As a version would that knows fewer facts. */
  const narrow = () => manager.consumers.update(fold.stream, fold.durable, { filter_subjects: fold.filterSubjects.slice(0, 1) });

  it('are applied by a newer version, and again by the same', async () => {
    expect(await applyStreams(connection, { version: '1.2.0' })).toBe('1.2.0');
    for (const version of ['1.2.0', '1.10.0']) {
      await narrow();
      expect(await applyStreams(connection, { version })).toBe(version);
      expect(await subjects()).toBe(fold.filterSubjects.length);
    }
  });

  it('are left alone by an older version, whose consumers receive fewer facts', async () => {
    await narrow();
    expect(await applyStreams(connection, { version: '1.9.3' })).toBe('1.10.0');
    expect(await subjects()).toBe(1);
  });

  it('are those of the newest version if a release was interrupted', async () => {
    const [first] = Object.values(STREAMS);
    await manager.streams.update(first!.name, { metadata: { 'virtual-classroom-version': '1.9.0' } });
    expect(await applyStreams(connection, { version: '1.9.3' })).toBe('1.10.0');
    expect(await applyStreams(connection, { version: '1.11.0' })).toBe('1.11.0');
  });

  it('keep a limit of their size, which may not be lowered to less than they hold', async () => {
    const limits = async () =>
      (await Promise.all(Object.values(STREAMS).map(({ name }) => manager.streams.info(name)))).map(({ config }) => config.max_bytes);
    const fill = async () => (await connection.request('dlq.filled', new Uint8Array(2 ** 19))).json<{ error?: { description: string } }>();
    for (let n = 0; n < 8; n += 1) await fill();
    // 4 MiB are more than four fifths of a share of 5 %.
    await expect(applyStreams(connection, { storageMib: 99 })).rejects.toThrow(
      /^DLQ holds 5 MiB: set NATS_STREAM_STORAGE_MIB to 10\d at least/,
    );
    expect((await limits()).at(Object.keys(STREAMS).indexOf('DLQ'))).toBe(-1);
    await applyStreams(connection, { storageMib: 110 });
    expect(await limits()).toEqual(Object.values(STREAMS).map(({ storageShare }) => Math.floor(110 * 2 ** 20 * storageShare)));
    await fill();
    await fill();
    // An upgrade does not fail because a stream is full.
    await applyStreams(connection, { storageMib: 110 });
    expect((await fill()).error?.description).toContain('maximum bytes exceeded');
  });

  test.each([
    ['1.2.3', '1.2.3', false],
    ['1.2.3', '1.2.10', true],
    ['1.10.0', '1.9.9', false],
    ['2.0.0', '10.0.0', true],
    ['1.2.3-rc.1', '1.2.3', false],
  ])('%s older than %s: %s', (version, than, is) => expect(isOlder(version, than)).toBe(is));
});
