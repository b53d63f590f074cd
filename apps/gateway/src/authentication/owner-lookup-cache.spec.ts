import type { NatsConnection } from '@nats-io/transport-node';
import { AppError, organizationUpdated } from '@classroom/contracts';
import { OwnerLookupCache } from './owner-lookup-cache.js';

interface Thing {
  version: number;
}

/** A cache whose owner answers each lookup with a new version, when the test settles it. */
function newCache(subjectOf?: (value: Thing) => string) {
  const lookups: { key: string; answer: () => void; fail: (error: Error) => void }[] = [];
  const cache = new OwnerLookupCache<Thing>(
    (key) => {
      const { promise, resolve, reject } = Promise.withResolvers<Thing>();
      lookups.push({ key, answer: () => resolve({ version: lookups.length }), fail: reject });
      return promise;
    },
    'ROOM_NOT_FOUND',
    subjectOf,
  );
  const statuses: ((status: { type: string }) => void)[] = [];
  let publish: (subject: string, error?: Error) => void = () => undefined;
  const subjects: string[] = [];
  const connection = {
    subscribe: (subject: string, { callback }: { callback: (error: Error | null, message: object) => void }) => {
      subjects.push(subject);
      publish = (key, error) => callback(error ?? null, { json: () => ({ subject: key }) });
    },
    status: async function* () {
      for (;;) yield await new Promise<{ type: string }>((resolve) => statuses.push(resolve));
    },
  };
  cache.invalidateOn(connection as unknown as NatsConnection, organizationUpdated);
  /** Looks the key up and lets the owner answer. */
  const load = async (key: string) => {
    const found = cache.find(key);
    lookups.at(-1)?.answer();
    return found;
  };
  const status = async (type: string) => {
    statuses.shift()?.({ type });
    await new Promise(setImmediate);
  };
  return { cache, lookups, load, status, subjects, publish: (key: string, error?: Error) => publish(key, error) };
}

describe('an answer of an owner', () => {
  it('is cached and then returned synchronously', async () => {
    const { cache, lookups, load } = newCache();
    expect(await load('a')).toEqual({ version: 1 });
    expect(cache.find('a')).toEqual({ version: 1 });
    expect(lookups).toHaveLength(1);
  });

  it('serves all requests that wait for it', async () => {
    const { cache, lookups } = newCache();
    const [one, other] = [cache.find('a'), cache.findFresh('a')];
    lookups[0]?.answer();
    expect([await one, await other]).toEqual([{ version: 1 }, { version: 1 }]);
    expect(lookups).toHaveLength(1);
  });

  it('is requested again for each request that must not use the cache', async () => {
    const { cache, lookups, load } = newCache();
    await load('a');
    const fresh = cache.findFresh('a');
    lookups[1]?.answer();
    expect(await fresh).toEqual({ version: 2 });
    expect(cache.find('a')).toEqual({ version: 2 });
  });

  it('is undefined, and not cached, for an entity that does not exist', async () => {
    const { cache, lookups } = newCache();
    for (let repeated = 0; repeated < 2; repeated++) {
      const found = cache.find('a');
      lookups.at(-1)?.fail(new AppError('ROOM_NOT_FOUND'));
      expect(await found).toBeUndefined();
    }
    expect(lookups).toHaveLength(2);
  });

  it.each([new AppError('SERVICE_UNAVAILABLE'), new Error('broken')])('passes the failure on: %s', async (failure) => {
    const { cache, lookups } = newCache();
    const found = cache.find('a');
    lookups[0]?.fail(failure);
    await expect(found).rejects.toBe(failure);
  });

  it('is evicted by the event about its key alone', async () => {
    const { cache, load, publish, subjects } = newCache();
    await load('a');
    await load('b');
    expect(subjects).toEqual([`${organizationUpdated.subjectPrefix}.>`]);
    publish('a', new Error('no permission'));
    expect(cache.find('a')).toEqual({ version: 1 });
    publish('a');
    expect(cache.find('a')).toBeInstanceOf(Promise);
    expect(cache.find('b')).toEqual({ version: 2 });
  });

  it('is evicted by its subject where this is not its key, and no other one is', async () => {
    const { cache, lookups, load, publish } = newCache(({ version }) => `version ${version}`);
    await load('a');
    await load('b');
    const early = cache.find('c');
    publish('version 1');
    expect(cache.find('a')).toBeInstanceOf(Promise);
    expect(cache.find('b')).toEqual({ version: 2 });
    lookups[2]?.answer();
    await early;
    // Its subject was not known when the event arrived.
    expect(cache.find('c')).toBeInstanceOf(Promise);
  });

  it('is evicted by what it says, as are those in flight, which may say the same', async () => {
    const { cache, lookups, load } = newCache();
    await load('a');
    await load('b');
    const early = cache.find('c');
    cache.invalidateWhere(({ version }) => version === 1);
    expect(cache.find('a')).toBeInstanceOf(Promise);
    expect(cache.find('b')).toEqual({ version: 2 });
    lookups[2]?.answer();
    await early;
    expect(cache.find('c')).toBeInstanceOf(Promise);
  });

  it('that was requested before an event is neither cached nor given to later requests', async () => {
    const { cache, lookups, publish } = newCache();
    const early = cache.find('a');
    publish('a');
    const late = cache.find('a');
    lookups[0]?.answer();
    expect(await early).toEqual({ version: 2 });
    expect(cache.find('a')).toBeInstanceOf(Promise);
    lookups[1]?.answer();
    await late;
    expect(lookups).toHaveLength(2);
    expect(cache.find('a')).toEqual({ version: 2 });
  });

  it('is evicted after a reconnection, because events may have been lost', async () => {
    const { cache, load, status } = newCache();
    await load('a');
    await status('disconnect');
    expect(cache.find('a')).toEqual({ version: 1 });
    await status('reconnect');
    expect(cache.find('a')).toBeInstanceOf(Promise);
  });
});
