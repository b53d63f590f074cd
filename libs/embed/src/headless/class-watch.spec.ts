import { ClassWatch } from './class-watch.js';
import type { ClassUpdate } from './responses.js';

const encode = (update: unknown) => new TextEncoder().encode(JSON.stringify(update));
const removal = (uid: string) => ({ uid, name: uid, role: 'STUDENT', removedAt: '2026-06-01T10:00:00.000Z' });

describe('the state of a watched class', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** A service whose class state has the given version. It can be made unreachable. */
  function followed() {
    const service = { version: 3, isAway: false, removals: [] as ReturnType<typeof removal>[] };
    const asked: number[] = [];
    const told: string[] = [];
    const ask = async (after: number): Promise<ClassUpdate> => {
      asked.push(after);
      if (service.isAway) throw new Error('away');
      return { base: after, version: service.version, removals: service.removals };
    };
    const nothing = () => undefined;
    const watch = new ClassWatch(ask, { removed: ({ uid }) => told.push(uid), recordingStarted: nothing, recordingStopped: nothing });
    return { watch, service, asked, told };
  }

  it('is requested on entering, and periodically without a reason', async () => {
    const { watch, asked } = followed();
    watch.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([0]);
    await jest.advanceTimersByTimeAsync(120_000);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(new Set(asked.slice(1))).toEqual(new Set([3]));
  });

  it('is requested once, within a second, if pushes leave a gap', async () => {
    const { watch, service, asked, told } = followed();
    watch.start();
    await jest.advanceTimersByTimeAsync(0);
    Object.assign(service, { version: 6, removals: [removal('bob')] });
    watch.receive(encode({ base: 4, version: 5 }));
    watch.receive(encode({ base: 5, version: 6, removals: [removal('bob')] }));
    expect(told).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([asked, told]).toEqual([[0, 3], ['bob']]);
    watch.receive(encode({ base: 6, version: 7, removals: [removal('eve')] }));
    watch.receive(new Uint8Array([0xff]));
    expect(told).toEqual(['bob', 'eve']);
  });

  it('is requested with growing pauses while the service is unreachable', async () => {
    const { watch, service, asked } = followed();
    service.isAway = true;
    watch.start();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(new Set(asked)).toEqual(new Set([0]));
  });

  it('is not requested after we left', async () => {
    const { watch, asked, told } = followed();
    watch.start();
    await jest.advanceTimersByTimeAsync(0);
    watch.stop();
    watch.receive(encode({ base: 3, version: 4, removals: [removal('bob')] }));
    await jest.advanceTimersByTimeAsync(120_000);
    expect([asked, told]).toEqual([[0], []]);
  });
});
