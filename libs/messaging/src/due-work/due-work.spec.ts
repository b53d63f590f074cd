import { AppError } from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { DueWork, type DueWorkOptions } from './due-work.js';

/** Items that are due until they are done. */
class Rows {
  readonly begun: string[] = [];
  readonly done: string[] = [];

  constructor(private readonly due: readonly string[]) {}

  options(run: (item: string, signal: AbortSignal) => Promise<void>): DueWorkOptions<string> {
    return {
      name: 'test',
      keyOf: (item) => item,
      find: (_now, limit) => Promise.resolve(this.due.filter((item) => !this.done.includes(item)).slice(0, limit)),
      run: async (item, signal) => {
        this.begun.push(item);
        await run(item, signal);
        this.done.push(item);
      },
      parallel: 2,
      intervalMs: 5,
    };
  }
}

const now = () => new Date();

describe('due work', () => {
  let work: DueWork<string> | undefined;
  const start = (options: DueWorkOptions<string>, spread?: ConstructorParameters<typeof DueWork<string>>[2]) => {
    work = new DueWork(options, now, spread);
    work.start();
  };
  beforeEach(() => jest.spyOn(process.stdout, 'write').mockReturnValue(true));
  afterEach(async () => {
    await work?.stop();
    jest.restoreAllMocks();
  });

  it('is done by several at a time, and never twice', async () => {
    const rows = new Rows(['a', 'b', 'c', 'd', 'e']);
    let running = 0;
    let most = 0;
    start(
      rows.options(async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
      }),
    );
    await eventually(() => expect(rows.done.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']));
    expect(rows.begun).toHaveLength(5);
    expect(most).toBe(2);
  });

  it.each([
    { what: 'an unreachable dependency', error: new AppError('SERVICE_UNAVAILABLE') },
    { what: 'an unknown failure', error: new Error('broken') },
  ])('passes over items that fail because of $what, although they are due first', async ({ error }) => {
    const rows = new Rows(['bad-1', 'bad-2', 'bad-3', 'bad-4', 'good-1', 'good-2']);
    start(rows.options((item) => (item.startsWith('bad') ? Promise.reject(error) : Promise.resolve())));
    await eventually(() => expect(rows.done.toSorted()).toEqual(['good-1', 'good-2']));
    // They are tried again after a while, not in each run.
    expect(rows.begun.filter((item) => item === 'bad-1').length).toBeLessThanOrEqual(2);
    await eventually(() => expect(rows.begun.filter((item) => item === 'bad-1').length).toBeGreaterThanOrEqual(2));
  });

  it('that was claimed is run at each claim, also soon after a failure', async () => {
    const rows = new Rows(['a']);
    const { find, ...options } = rows.options(() => Promise.reject(new Error('broken')));
    start({ ...options, claim: find });
    await eventually(() => expect(rows.begun.length).toBeGreaterThan(5));
  });

  it('passes over items that stay due although they were run', async () => {
    const rows = new Rows(['a', 'b', 'c']);
    const options = rows.options(() => Promise.resolve());
    start({ ...options, parallel: 1, intervalMs: 60_000, find: (_now, limit) => Promise.resolve(['a', 'b', 'c'].slice(0, limit)) });
    await eventually(() => expect(rows.begun).toEqual(['a', 'b', 'c']));
  });

  it('is done behind items that take long', async () => {
    const rows = new Rows(['slow', 'a', 'b', 'c', 'd']);
    const { promise, resolve } = Promise.withResolvers<void>();
    start(rows.options((item) => (item === 'slow' ? promise : Promise.resolve())));
    await eventually(() => expect(rows.done).toEqual(['a', 'b', 'c', 'd']));
    resolve();
    await eventually(() => expect(rows.done).toContain('slow'));
    expect(rows.begun).toHaveLength(5);
  });

  it('is handed to the queue, and done here while the queue does not take it', async () => {
    const rows = new Rows(['a', 'b', 'c']);
    const handed: string[] = [];
    let isReachable = true;
    const queue = {
      contract: { queue: 'test' } as never,
      add: (items: readonly never[]) => {
        if (isReachable) handed.push(...items);
        return Promise.resolve(isReachable);
      },
      work: () => ({ running: 0, stop: () => Promise.resolve() }),
    };
    start(
      rows.options(() => Promise.resolve()),
      { queue },
    );
    await eventually(() => expect(handed).toContain('a'));
    expect(rows.begun).toEqual([]);
    isReachable = false;
    await eventually(() => expect(rows.done.toSorted()).toEqual(['a', 'b', 'c']));
    expect(rows.begun).toHaveLength(3);
  });

  it('ends with the process: it begins nothing more, and waits until what runs has ended', async () => {
    const rows = new Rows(['a', 'b', 'c']);
    const ended: string[] = [];
    start(
      rows.options(async (item, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended.push(item);
        throw signal.reason;
      }),
    );
    await eventually(() => expect(rows.begun).toEqual(['a', 'b']));
    await work?.stop();
    expect(ended).toEqual(['a', 'b']);
    expect(rows.begun).toEqual(['a', 'b']);
  });
});
