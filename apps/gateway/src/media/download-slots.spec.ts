import { DownloadSlots } from './download-slots.js';

const LIMITS = { total: 3, perOwner: 2, waitingPerOwner: 2, waitMs: 60_000 };

/** Downloads that end only on request. */
function downloads(limits = LIMITS) {
  const slots = new DownloadSlots(limits);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (name: string) =>
    slots.run(name.charAt(0), () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve(name))));
    });
  return { started, run, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

describe('downloads', () => {
  it('run at once up to the limits of one owner and of all, and the others in order as slots become free', async () => {
    const { started, run, end } = downloads();
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(run);
    await Promise.resolve();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    end('b1');
    await all[3];
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    end('a1', new Error('reset'));
    await expect(all[0]).rejects.toThrow('reset');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
    end('b2');
    await all[4];
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'c1']);
    for (const name of ['a2', 'a3', 'c1']) end(name);
    expect(await Promise.all([all[1], all[2], all[5]])).toEqual(['a2', 'a3', 'c1']);
  });

  it('are refused if too many of their owner wait, whose slots others do not take', async () => {
    const { started, run, end } = downloads();
    const waiting = ['a1', 'a2', 'a3', 'a4'].map(run);
    await expect(run('a5')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const other = run('b1');
    await Promise.resolve();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    for (const name of ['b1', 'a1', 'a2']) end(name);
    await Promise.all([other, waiting[0], waiting[1]]);
    for (const name of ['a3', 'a4']) end(name);
    await Promise.all(waiting);
  });

  it('are refused if they wait too long, and then take no slot', async () => {
    const { started, run, end } = downloads({ ...LIMITS, perOwner: 1, waitMs: 1 });
    const first = run('a1');
    await expect(run('a2')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    end('a1');
    await first;
    const third = run('a3');
    await Promise.resolve();
    expect(started).toEqual(['a1', 'a3']);
    end('a3');
    await third;
  });
});
