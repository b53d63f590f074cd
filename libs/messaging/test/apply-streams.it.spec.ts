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

  test.each([
    ['1.2.3', '1.2.3', false],
    ['1.2.3', '1.2.10', true],
    ['1.10.0', '1.9.9', false],
    ['2.0.0', '10.0.0', true],
    ['1.2.3-rc.1', '1.2.3', false],
  ])('%s older than %s: %s', (version, than, is) => expect(isOlder(version, than)).toBe(is));
});
