import { randomUUID } from 'node:crypto';
import {
  byForm,
  connectionsOf,
  eventually,
  expectBilledTruth,
  expectMoneyInvariants,
  expectPresenceInvariants,
  expectTruth,
  newRoom,
} from '@classroom/testing';
import { CLASS_APPS, startChaosStack, type ChaosStack } from './support.js';

const PEOPLE = 20;
const KILLED = byForm({ short: ['pgbouncer'], long: ['pgbouncer', 'postgres'] });
/** Connections to Postgres for each role. Each process opens ten to PgBouncer. */
const POOL_SIZE = 2;

describe('behind PgBouncer in transaction mode', () => {
  let chaos: ChaosStack;
  beforeAll(async () => {
    const env = { room: { RECONCILE_SECONDS: '1' }, billing: { ROLLUP_SECONDS: '1' } };
    chaos = await startChaosStack({ apps: CLASS_APPS, parts: ['postgres', 'pgbouncer', 'nats', 'redis', 's3'], env });
  });
  afterAll(() => chaos?.stop());

  const enter = async (room: string) => {
    const people = Array.from({ length: PEOPLE }, () => ({ room, identity: `uid-${randomUUID()}`, attributes: { role: 'STUDENT' } }));
    return (await chaos.livekit.connectMany(people)).map(({ sid }) => sid);
  };
  /** Roles with their connections to Postgres. */
  const connections = () =>
    chaos.stack.rows<{ role: string; count: number }>(
      `SELECT usename AS role, count(*)::int FROM pg_stat_activity WHERE usename LIKE 'classroom_%' GROUP BY usename ORDER BY usename`,
    );

  it('a class is created, followed, charged while it runs, settled and reported, and a kill loses nothing', async () => {
    const { stack, livekit, api } = chaos;
    const { roomId, sid } = await newRoom(api, { settings: { maxParticipants: 100 } });
    const present = await enter(sid);
    const status = () => api.get(`/v1/room/${roomId}/status`);
    const credits = async () => (await api.get(`/v1/room/${roomId}/summary`)).body.data.totalCredits as number;
    await eventually(async () => expect(await credits()).toBeGreaterThan(0));
    // A slow machine may answer some of them with 503 first.
    const answered = () => eventually(async () => expect((await status()).status).toBe(200));
    await Promise.all(Array.from({ length: 50 }, answered));
    expect((await connections()).filter(({ count }) => count > POOL_SIZE)).toEqual([]);
    expect((await connections()).map(({ role }) => role)).toEqual(['billing', 'organization', 'room'].map((app) => `classroom_${app}`));

    for (const part of KILLED) {
      await stack.part(part).kill();
      await livekit.leaveMany(present.splice(0, 5));
      expect((await status()).status).toBe(503);
      await stack.part(part).start();
      const before = await eventually(async () => {
        const { body } = await status();
        expect(body?.data).toMatchObject({ isActive: true, participantCount: present.length });
        return credits();
      });
      await eventually(async () => expect(await credits()).toBeGreaterThan(before));
    }

    await expectTruth(stack, livekit, sid);
    const { endedAt } = (await api.delete(`/v1/room/${roomId}`)).body.data;
    await expectPresenceInvariants(stack);
    await expectMoneyInvariants(stack);
    await expectBilledTruth(stack, livekit, sid, Date.parse(endedAt));
    const [row] = await connectionsOf(stack, sid);
    const csv = (await api.post('/v1/participant/sessions', { uid: row?.uid, export: 'csv' })).text;
    expect(csv).toContain('Total Sessions,1\r\n');
    expect(csv).toContain(`${roomId},`);
  });
});
