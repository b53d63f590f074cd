import { ClassStateSync } from './class-state-sync.js';
import type { ClassUpdate } from './responses.js';

const encode = (update: unknown) => new TextEncoder().encode(JSON.stringify(update));
const removal = (uid: string) => ({ uid, name: uid, role: 'STUDENT', removedAt: '2026-06-01T10:00:00.000Z' });

describe('the state of a watched class', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** A service whose class state has the given version. It can be made unreachable. */
  function setup() {
    const service = { version: 3, isUnreachable: false, removals: [] as ReturnType<typeof removal>[] };
    const requestedVersions: number[] = [];
    const removals: string[] = [];
    const fetchState = async (after: number): Promise<ClassUpdate> => {
      requestedVersions.push(after);
      if (service.isUnreachable) throw new Error('unreachable');
      return { base: after, version: service.version, removals: service.removals };
    };
    const noop = () => undefined;
    const sync = new ClassStateSync(fetchState, {
      onRemoved: ({ uid }) => removals.push(uid),
      onRecordingStarted: noop,
      onRecordingStopped: noop,
    });
    return { sync, service, requestedVersions, removals };
  }

  it('is requested on entering, and periodically without a reason', async () => {
    const { sync, requestedVersions } = setup();
    sync.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(requestedVersions).toEqual([0]);
    await jest.advanceTimersByTimeAsync(120_000);
    expect(requestedVersions.length).toBeGreaterThanOrEqual(4);
    expect(requestedVersions.length).toBeLessThanOrEqual(6);
    expect(new Set(requestedVersions.slice(1))).toEqual(new Set([3]));
  });

  it('is requested once, within a second, if pushes leave a gap', async () => {
    const { sync, service, requestedVersions, removals } = setup();
    sync.start();
    await jest.advanceTimersByTimeAsync(0);
    Object.assign(service, { version: 6, removals: [removal('bob')] });
    sync.receive(encode({ base: 4, version: 5 }));
    sync.receive(encode({ base: 5, version: 6, removals: [removal('bob')] }));
    expect(removals).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([requestedVersions, removals]).toEqual([[0, 3], ['bob']]);
    sync.receive(encode({ base: 6, version: 7, removals: [removal('eve')] }));
    sync.receive(new Uint8Array([0xff]));
    expect(removals).toEqual(['bob', 'eve']);
  });

  it('is requested with growing pauses while the service is unreachable', async () => {
    const { sync, service, requestedVersions } = setup();
    service.isUnreachable = true;
    sync.start();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(requestedVersions.length).toBeGreaterThanOrEqual(4);
    expect(requestedVersions.length).toBeLessThanOrEqual(6);
    expect(new Set(requestedVersions)).toEqual(new Set([0]));
  });

  it('is not requested after we left', async () => {
    const { sync, requestedVersions, removals } = setup();
    sync.start();
    await jest.advanceTimersByTimeAsync(0);
    sync.stop();
    sync.receive(encode({ base: 3, version: 4, removals: [removal('bob')] }));
    await jest.advanceTimersByTimeAsync(120_000);
    expect([requestedVersions, removals]).toEqual([[0], []]);
  });
});
