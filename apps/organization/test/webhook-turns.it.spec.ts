import type { DataSource } from 'typeorm';
import { Database } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { TestStack } from '@classroom/testing';
import { EndpointsRepository } from '../src/webhooks/endpoints.repository.js';
import { connectMigrated } from './support/database-fixture.js';

const AT_ONCE = 8;
const MINUTE = 60_000;

describe('the endpoints that are due', () => {
  const now = new Date();
  let stack: TestStack;
  let dataSource: DataSource;
  let endpoints: EndpointsRepository;

  beforeAll(async () => {
    logger.level = 'silent';
    stack = await TestStack.parts(['postgres']);
    dataSource = await connectMigrated(stack);
    endpoints = new EndpointsRepository(new Database(dataSource));
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await stack?.stop();
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM webhook_deliveries');
    await dataSource.query('DELETE FROM webhook_endpoints');
  });

  async function addEndpoint(organizationId: string, name: string, deliveries: { dueIn: number; leasedFor?: number }[]): Promise<string> {
    const endpointId = `${organizationId}-${name}`;
    await dataSource.query(
      `INSERT INTO webhook_endpoints (endpoint_id, organization_id, url, description, event_types, secret, created_at, updated_at)
       VALUES ($1, $2, 'https://school.example', '', '{}', 'sealed', $3, $3)`,
      [endpointId, organizationId, now],
    );
    for (const [number, { dueIn, leasedFor }] of deliveries.entries()) {
      const [dueAt, leasedUntil] = [new Date(now.getTime() + dueIn), leasedFor === undefined ? null : new Date(now.getTime() + leasedFor)];
      await dataSource.query(
        `INSERT INTO webhook_deliveries (delivery_id, endpoint_id, event_id, type, event_at, payload, due_at, leased_until, created_at)
         VALUES ($1 || '-' || $2, $1, $2, 'room.created', $3, '{}', $4, $5, $3)`,
        [endpointId, String(number), now, dueAt, leasedUntil],
      );
    }
    return endpointId;
  }

  it('are those with a delivery that is due and not in progress', async () => {
    await addEndpoint('org', 'idle', []);
    await addEndpoint('org', 'later', [{ dueIn: MINUTE }]);
    await addEndpoint('org', 'busy', [{ dueIn: -MINUTE, leasedFor: MINUTE }]);
    const due = await addEndpoint('org', 'due', [{ dueIn: -1_000 }, { dueIn: MINUTE }]);
    const next = await addEndpoint('org', 'next', [
      { dueIn: -MINUTE, leasedFor: MINUTE },
      { dueIn: -1_000, leasedFor: -1_000 },
    ]);
    expect((await endpoints.findWithDue(now, now)).sort()).toEqual([due, next]);
  });

  it('are at most eight of one organization, including those being served, the longest waiting first', async () => {
    const busy = await addEndpoint('large', 'busy', [{ dueIn: -1_000, leasedFor: MINUTE }, { dueIn: -1_000 }]);
    const waiting: string[] = [];
    for (let number = 0; number < 12; number++)
      waiting.push(await addEndpoint('large', `waiting-${number}`, [{ dueIn: -MINUTE + number * 1_000 }, { dueIn: -1_000 }]));
    const small = await addEndpoint('small', 'one', [{ dueIn: -1 }]);
    expect((await endpoints.findWithDue(now, now)).sort()).toEqual([busy, ...waiting.slice(0, AT_ONCE - 1), small].sort());
  });
});
