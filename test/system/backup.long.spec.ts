import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import {
  allPublished,
  chargedCredits,
  eventually,
  expectBilledTruth,
  expectMoneyInvariants,
  meterOf,
  newOrganization,
  newRoom,
  person,
  present,
  sessionsOf,
  SimulatedLiveKit,
  sleep,
  TestStack,
  uidsOf,
  unpublishAll,
  type ApiClient,
} from '@classroom/testing';

const launcher = require('../../tools/stack') as { pickPorts(): Promise<{ gatewayPort: number; portBase: number }> };
const { dataFolder } = require('../../tools/stack/parts/postgres') as { dataFolder(home: string): string };

const APPS = ['organization', 'room', 'gateway', 'billing', 'ai', 'recording'];
const ENV = { room: { RECONCILE_SECONDS: '1' }, billing: { ROLLUP_SECONDS: '1' } };
const OUTBOXES = ['organization', 'room', 'billing'] as const;
const PUPIL = 'pupil-of-the-backup';

/** The drill of docs/guides/backup-and-restore.md: only the database, the secrets and the bucket are restored, everything else is new. */
describe('a stack restored from a copy of its database, with an empty NATS and an empty Redis', () => {
  let ports: { gatewayPort: number; portBase: number };
  let livekit: SimulatedLiveKit;
  let stack: TestStack | undefined;
  let backup: string;

  beforeAll(async () => {
    ports = await launcher.pickPorts();
    livekit = await new SimulatedLiveKit({ webhookUrls: [`http://127.0.0.1:${ports.gatewayPort}/livekit/webhook`] }).start();
    backup = mkdtempSync(join(tmpdir(), 'classroom-backup-'));
    stack = await startStack();
  });

  afterAll(async () => {
    await stack?.stop();
    await livekit?.stop();
    rmSync(backup, { recursive: true, force: true });
  });

  const startStack = (home = {}) => {
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = livekit;
    const options = { ...ports, ...home, apps: APPS, env: ENV, livekit: false as const, livekitUrl, livekitApiKey, livekitApiSecret };
    return TestStack.start(options);
  };

  const enter = async (room: string, people: number) => {
    const who = Array.from({ length: people }, () => ({ room, identity: `uid-${randomUUID()}`, attributes: { role: 'STUDENT' } }));
    return (await livekit.connectMany(who)).map(({ sid }) => sid);
  };
  const end = async (api: ApiClient, roomId: string): Promise<number> =>
    Date.parse((await api.delete(`/v1/room/${roomId}`)).body.data.endedAt);

  it('charges each second once: of classes before the copy, during it, and after the restoration', async () => {
    const first = stack;
    if (!first) throw new Error('no stack');
    const { api, organizationId } = await newOrganization(first);

    const over = await newRoom(api);
    await enter(over.sid, 2);
    await api.post(`/v1/room/${over.roomId}/join`, { participant: person(PUPIL, 'STUDENT') });
    await livekit.connectMany([{ room: over.sid, identity: PUPIL, attributes: { role: 'STUDENT' } }]);
    await sleep(1_500);
    const overAt = await end(api, over.roomId);
    await eventually(async () => expect(await meterOf(first, over.sid)).toMatchObject({ isSettled: true }));
    const summary = (await api.get(`/v1/room/${over.roomId}/summary`)).body.data;

    const live = await newRoom(api);
    const [early] = await enter(live.sid, 3);
    await eventually(async () => expect((await meterOf(first, live.sid))?.charged).toBeGreaterThan(0));

    // Its facts were published and wait in JetStream, which the backup does not contain.
    await first.app('billing').stop();
    const unread = await newRoom(api);
    await enter(unread.sid, 2);
    await sleep(1_500);
    const unreadAt = await end(api, unread.roomId);
    await allPublished(first, 'room');

    const copiedAt = Date.now();
    await copyDatabase(first, backup);
    expect(await sessionsOf(first, unread.sid)).toEqual([]);

    // Charges and erasures from here on are lost with the machine, and must be made again.
    await first.app('billing').start();
    const { erasureId } = (await api.post('/v1/privacy/erasures', { uid: PUPIL })).body.data;
    const erasure = async () => (await api.get(`/v1/privacy/erasures/${erasureId}`)).body.data;
    await eventually(async () => expect((await erasure()).status).toBe('COMPLETED'));
    const { requestedAt, receipt } = await erasure();
    expect(await uidsOf(first, over.sid)).not.toContain(PUPIL);
    await eventually(async () => expect(await meterOf(first, unread.sid)).toMatchObject({ charged: 1, isSettled: true }));
    copyFileSync(join(first.home, 'secrets.json'), join(backup, 'secrets.json'));
    cpSync(join(first.home, 's3'), join(backup, 's3'), { recursive: true });
    await first.stop();
    stack = undefined;
    await livekit.leave(String(early));
    const awaySeconds = Math.ceil((Date.now() - copiedAt) / 1000);

    const home = mkdtempSync(join(tmpdir(), 'classroom-'));
    restoreDatabase(backup, home);
    cpSync(join(backup, 's3'), join(home, 's3'), { recursive: true });
    const second = await startStack({ home });
    stack = second;
    await unpublishAll(second, OUTBOXES);

    await eventually(async () => expect(await erasure()).toMatchObject({ status: 'COMPLETED', requestedAt }));
    expect(present((await erasure()).receipt).subjectHash).toBe(present(receipt).subjectHash);
    expect(await uidsOf(second, over.sid)).not.toContain(PUPIL);

    await eventually(async () => expect(await meterOf(second, unread.sid)).toMatchObject({ charged: 1, isSettled: true }));
    await eventually(async () => expect((await api.get(`/v1/room/${live.roomId}/status`)).body.data.participantCount).toBe(2));
    await enter(live.sid, 1);
    await sleep(1_500);
    const liveAt = await end(api, live.roomId);
    await expectMoneyInvariants(second);
    await expectBilledTruth(second, livekit, over.sid, overAt);
    await expectBilledTruth(second, livekit, unread.sid, unreadAt);
    await expectBilledTruth(second, livekit, live.sid, liveAt, { earlySeconds: awaySeconds + 3, lateSeconds: 3 });
    expect((await api.get(`/v1/room/${over.roomId}/summary`)).body.data).toEqual(summary);

    const taken = await chargedCredits(second, organizationId);
    expect((await api.get('/v1/billing/balance')).body.data.remainingCredits).toBe(1000 - taken);

    // Operation continues: a class that starts after the restore.
    const after = await newRoom(api);
    await enter(after.sid, 2);
    await sleep(1_500);
    const afterAt = await end(api, after.roomId);
    await expectMoneyInvariants(second);
    await expectBilledTruth(second, livekit, after.sid, afterAt);
  });
});

/** Copies the database of a running server with Postgres's low-level backup: neither the npm package nor Debian 12 has a pg_dump of its version. */
async function copyDatabase(stack: TestStack, to: string): Promise<void> {
  const data = dataFolder(stack.home);
  const client = new Client({ connectionString: stack.urls.postgresAdmin });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('drill', true)`);
    pack(join(to, 'data.tar'), data, '.');
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
    pack(join(to, 'wal.tar'), data, './pg_wal');
  } finally {
    await client.end();
  }
}

function pack(archive: string, folder: string, what: string): void {
  const { status, stderr } = spawnSync('tar', ['-C', folder, '--exclude=./postmaster.pid', '-cf', archive, what], { encoding: 'utf8' });
  // 1: a file changed while it was read. The write-ahead log repairs that.
  if (status === null || status > 1) throw new Error(stderr);
}

function restoreDatabase(from: string, home: string): void {
  copyFileSync(join(from, 'secrets.json'), join(home, 'secrets.json'));
  const data = dataFolder(home);
  mkdirSync(dirname(data), { recursive: true });
  mkdirSync(data);
  for (const archive of ['data.tar', 'wal.tar']) execFileSync('tar', ['-C', data, '--same-owner', '-xpf', join(from, archive)]);
  const label = join(data, 'backup_label');
  copyFileSync(join(from, 'backup_label'), label);
  const { uid, gid } = statSync(join(data, 'PG_VERSION'));
  chownSync(label, uid, gid);
}
