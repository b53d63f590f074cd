import { BoardLine } from './draw-boards.js';

const { signal } = new AbortController();

function lineWith(parallel: number) {
  const line = new BoardLine({ parallel, waitingPerOrganization: 2 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const join = (name: string, until = signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    return line.inTurn(name.slice(0, 1), until, () => {
      begun.push(name);
      return promise;
    });
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, join, end };
}

describe('the line of boards', () => {
  it('begins one of each organization, whatever else that organization waits for', async () => {
    const { begun, join, end } = lineWith(2);
    for (const name of ['a1', 'a2', 'b1', 'c1']) void join(name);
    await end('-');
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('refuses an organization that waits for many', async () => {
    const { join } = lineWith(1);
    for (const name of ['a1', 'a2', 'a3']) void join(name);
    await expect(join('a4')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('lets an organization be last after its turn', async () => {
    const { begun, join, end } = lineWith(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void join(name);
    for (const name of ['a1', 'b1', 'a2', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('continues after a failure, and without those that went away', async () => {
    const line = new BoardLine({ parallel: 1, waitingPerOrganization: 2 });
    const failed = line.inTurn('a', signal, () => Promise.reject(new Error('broken')));
    const gone = new AbortController();
    const left = line.inTurn('b', gone.signal, () => Promise.resolve('never'));
    const kept = line.inTurn('c', signal, () => Promise.resolve('kept'));
    gone.abort(new Error('gone'));
    await expect(failed).rejects.toThrow('broken');
    await expect(left).rejects.toThrow('gone');
    await expect(kept).resolves.toBe('kept');
    await expect(line.inTurn('a', gone.signal, () => Promise.resolve('never'))).rejects.toThrow('gone');
  });
});
