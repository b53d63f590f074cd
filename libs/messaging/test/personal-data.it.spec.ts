import { randomUUID } from 'node:crypto';
import { AppError } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { SystemClock } from '@classroom/platform';
import { applyErasure, Expiry, RetentionSweep, type Holder, type RpcClient } from '../src/index.js';
import { MessagingFixture } from './support/messaging-fixture.js';

let fixture: MessagingFixture;
beforeAll(async () => {
  fixture = await MessagingFixture.start();
});
afterAll(() => fixture?.stop());

describe('an erasure', () => {
  it('is complete when the facts from before are in the stream, and answers the first counts then', async () => {
    const [erasureId, factId] = [randomUUID(), randomUUID()];
    await fixture.query(`INSERT INTO outbox (id, subject, body, created_at) VALUES ('${factId}', 'evt.room.thing', '{}', now())`);
    const apply = (messages: number) =>
      applyErasure(fixture.database, { erasureId, organizationId: 'org_a', subject: { uid: 'ada' }, readThrough: 0 }, () =>
        Promise.resolve({ isComplete: true, counts: { messages } }),
      );
    expect(await apply(3)).toEqual({ isComplete: false, counts: {} });
    const answer = apply(0);
    await fixture.query(`UPDATE outbox SET published_at = now() WHERE id = '${factId}'`);
    expect(await answer).toEqual({ isComplete: true, counts: { messages: 3 } });
  });
});

/** A hundred classes, each of which takes 10 ms to erase, with a time limit of 150 ms. Those of `broken` cannot be erased. */
class SlowExpiry extends Expiry {
  readonly dataClass = 'chat';
  readonly erased: Record<string, string[]> = {};

  protected find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    const all = Array.from({ length: 100 }, (_, index) => ({ key: `${organizationId}-${index}`, since: new Date(1_000 * (index + 1)) }));
    const next = all.filter(({ key, since }) => since <= before && (since > after.since || (since >= after.since && key > after.key)));
    return Promise.resolve(next.slice(0, limit));
  }

  protected async erase(tx: Transaction, organizationId: string, keys: string[]): Promise<number> {
    if (organizationId === 'broken') throw new Error('the partition is missing');
    if (organizationId === 'unreachable') throw new AppError('SERVICE_UNAVAILABLE');
    await tx.manager.query("SET LOCAL statement_timeout = '150ms'");
    await tx.manager.query('SELECT pg_sleep($1)', [keys.length * 0.01]);
    (this.erased[organizationId] ??= []).push(...keys);
    return keys.length;
  }
}

describe('the retention', () => {
  it('erases in smaller batches where the rows are too many for one statement, and an organization that fails delays no other', async () => {
    const organizations = ['above', 'broken', 'large'].map((organizationId) => ({ organizationId, retention: {}, set: [] }));
    const expiry = new SlowExpiry(fixture.database);
    const rpc = { call: () => Promise.resolve({ organizations }) } as unknown as RpcClient;
    expect(await new RetentionSweep([expiry], rpc, new SystemClock()).run()).toBe(1);
    for (const organizationId of ['above', 'large']) expect(new Set(expiry.erased[organizationId]).size).toBe(100);
    expect(expiry.erased['broken']).toBeUndefined();
  });

  it('stops where Postgres is unreachable, and begins again later', async () => {
    const organizations = ['unreachable', 'next'].map((organizationId) => ({ organizationId, retention: {}, set: [] }));
    const expiry = new SlowExpiry(fixture.database);
    const rpc = { call: () => Promise.resolve({ organizations }) } as unknown as RpcClient;
    await expect(new RetentionSweep([expiry], rpc, new SystemClock()).run()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(expiry.erased).toEqual({});
  });
});
