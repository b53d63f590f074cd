import { LOGO_SAMPLE } from '@classroom/contracts';
import {
  adminApi,
  Bucket,
  eventually,
  expectLedgerInvariants,
  RtcParticipant,
  TestStack,
  uidsOf,
  WebhookReceiver,
} from '@classroom/testing';
import { attendanceOf, completed, countsOf, erase, ErasureScene, MARK, PUPIL, SCHEMAS, TEACHER } from './erasure-scene.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Between the request to erase an organization and its beginning. */
const COOL_DOWN_MS = 3 * DAY_MS;

/** Kills and stops processes of its own stack, and moves its clock. */
describe('an erasure', () => {
  let stack: TestStack;
  let receiver: WebhookReceiver;
  let scene: ErasureScene;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await TestStack.start({
      apps: ['organization', 'room', 'billing', 'ai', 'recording', 'media', 'gateway'],
    });
    scene = new ErasureScene(stack, receiver);
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
    await receiver?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  it('of a class erases everyone in it and what was written about it', async () => {
    const school = await scene.newSchool();
    const [room, other] = [await scene.newClass(school), await scene.newClass(school)];
    await Promise.all([room.end(), other.end()]);
    const { erasureId } = await erase(school, { roomId: room.roomId });
    const { receipt } = await completed(school, erasureId);
    expect(countsOf(receipt)).toMatchObject({
      'room: participants': 4,
      'room: chat messages': 2,
      'room: polls': 1,
      'billing: sessions': 3,
    });
    const people = await attendanceOf(school, room.roomId);
    expect(people.map(({ uid }) => uid.startsWith('erased#'))).toEqual([true, true, true]);
    expect((await attendanceOf(school, other.roomId)).map(({ uid }) => uid).sort()).toEqual(['friend', PUPIL.uid, TEACHER.uid].sort());
    expect((await uidsOf(stack, room.sid)).filter((uid) => uid.includes(MARK))).toEqual([]);
    await completed(school, (await erase(school, { uid: PUPIL.uid })).erasureId);
    expect(await scene.tablesWithMark()).toEqual([]);
  });

  it('waits for a live class, a service that is down, and goes through a kill in the middle, with counts of what was erased', async () => {
    const school = await scene.newSchool();
    const room = await scene.newClass(school);
    const { erasureId } = await erase(school, { uid: PUPIL.uid });
    const answer = async () => (await school.api.get(`/v1/privacy/erasures/${erasureId}`)).body.data;
    const waitingFor = ['room', 'ai', 'billing', 'recording', 'organization'];
    await eventually(async () => expect(await answer()).toMatchObject({ status: 'RUNNING', waitingFor, receipt: null }));
    expect((await attendanceOf(school, room.roomId)).map(({ uid }) => uid)).toContain(PUPIL.uid);
    await stack.app('billing').stop();
    await school.api.delete(`/v1/room/${room.roomId}`);
    await eventually(async () => expect((await answer()).waitingFor).toEqual(['billing', 'organization']));
    const organization = stack.app('organization');
    await organization.stop();
    organization.launch({ FAILPOINTS: 'organization.erasure.before-commit=crash' });
    await stack.app('billing').start();
    expect((await organization.exited).signal).toBe('SIGKILL');
    expect(await scene.tablesWithMark()).toEqual(['organization.erasures']);
    await organization.start();
    const { receipt } = await completed(school, erasureId);
    // Billing counts its session only if it read the facts before it asked room for the class, which had erased by then.
    expect(countsOf(receipt)).toMatchObject({ 'room: participants': 1, 'room: chat messages': 1, 'ai: AI dialogues': 1 });
    expect(await scene.tablesWithMark()).toEqual([]);
  });

  describe('of an organization', () => {
    /** What is left of it: the ledger, the receipt, and until 30 days later its id and credentials. */
    const LEFT = [
      ...['accounts', 'cycle_sums', 'ledger_checkpoints', 'ledger_entries', 'plans', 'room_meters'].map((table) => `billing.${table}`),
      ...['organization_credentials', 'organizations', 'erasures'].map((table) => `organization.${table}`),
      ...SCHEMAS.map((schema) => `${schema}.applied_erasures`),
    ];

    const statusOf = async (organizationId: string) =>
      (await adminApi(stack).get(`/v1/admin/organizations/${organizationId}/erasure`)).body.data;

    async function tablesWith(text: string): Promise<string[]> {
      return (await scene.tablesWithMark(text)).filter((table) => !LEFT.includes(table));
    }

    it('ends its classes, charges them, and leaves only the ledger', async () => {
      const [school, neighbour] = [await scene.newSchool(), await scene.newSchool()];
      const [past, room] = [await scene.newClass(school), await scene.newClass(school)];
      const other = await scene.newClass(neighbour);
      await past.end();
      await other.end();
      await adminApi(stack).put(`/v1/admin/organizations/${school.organizationId}/logo`, { logo: LOGO_SAMPLE });
      const before = await tablesWith(school.organizationId);
      const rows = ['ai.chats', 'organization.events', 'organization.organization_logos', 'organization.webhook_endpoints', 'room.rooms'];
      expect(before).toEqual(expect.arrayContaining(rows));
      const requested = await erase(school, { organization: true });
      expect(requested).toMatchObject({ status: 'PENDING', receipt: null });
      await eventually(async () => expect((await school.api.post('/v1/room/create', {})).body.error).toBe('FORBIDDEN'));
      // Nothing is deleted, and no class is ended, until the cool-down is over.
      await stack.moveClock(COOL_DOWN_MS - MINUTE_MS);
      await completed(neighbour, (await erase(neighbour, { uid: 'never-here' })).erasureId);
      expect(await tablesWith(school.organizationId)).toEqual(expect.arrayContaining(rows));
      expect((await school.api.get(`/v1/room/${room.roomId}/status`)).body.data.isActive).toBe(true);
      expect(await statusOf(school.organizationId)).toMatchObject({ status: 'PENDING', beginsAt: requested.beginsAt });
      await stack.moveClock(COOL_DOWN_MS);
      await eventually(async () => expect((await school.api.get('/v1/rooms')).body.error).toBe('FORBIDDEN'));
      await eventually(async () => expect((await statusOf(school.organizationId)).status).toBe('RUNNING'));
      const cancelled = await school.api.delete(`/v1/privacy/erasures/${requested.erasureId}`);
      expect([cancelled.status, cancelled.body.error]).toEqual([409, 'ERASURE_BEGUN']);
      // Until then, a gateway may not know that the organization may not read any more.
      await stack.moveClock(COOL_DOWN_MS + MINUTE_MS);
      await eventually(async () => expect((await statusOf(school.organizationId)).status).toBe('COMPLETED'));
      const { receipt, signature } = (await school.api.get(`/v1/privacy/erasures/${requested.erasureId}`)).body.data;
      expect(signature?.value).toEqual(expect.any(String));
      expect(await erase(school, { organization: true })).toMatchObject({ erasureId: requested.erasureId, status: 'COMPLETED' });
      // The repeated request is about to be dropped from the audit log.
      await eventually(async () => expect(await tablesWith(school.organizationId)).toEqual([]));
      // Ids of messages, which the service has read once.
      expect(await tablesWith(room.sid)).toEqual(['organization.inbox']);
      expect(countsOf(receipt)).toMatchObject({
        'billing: sessions': 6,
        'room: rooms': 2,
        'room: participants': 8,
        'room: chat messages': 4,
        'ai: chats': 2,
        'organization: webhook endpoints': 1,
      });
      const sum = await stack.rows<{ credits: number }>(
        `SELECT sum(credits)::int AS credits FROM billing.ledger_entries WHERE organization_id = $1 AND kind = 'CHARGE'`,
        [school.organizationId],
      );
      expect(sum[0]?.credits).toBeGreaterThan(0);
      const names = await stack.rows('SELECT 1 FROM billing.ledger_entries WHERE organization_id = $1 AND room_id <> sid', [
        school.organizationId,
      ]);
      expect(names).toEqual([]);
      expect((await attendanceOf(neighbour, other.roomId)).map(({ uid }) => uid)).toContain(PUPIL.uid);
      await stack.moveClock(COOL_DOWN_MS + 31 * DAY_MS);
      await eventually(async () => expect((await school.api.get(`/v1/privacy/erasures/${requested.erasureId}`)).status).toBe(401));
      expect(await statusOf(school.organizationId)).toMatchObject({ status: 'COMPLETED', receipt });
    });

    it('is repeated by a database that does not know it, as after a restore', async () => {
      const school = await scene.newSchool();
      const path = `/v1/admin/organizations/${school.organizationId}` as const;
      const { erasureId } = (await adminApi(stack).delete(path)).body.data;
      await stack.moveClock(2 * COOL_DOWN_MS + 31 * DAY_MS);
      const bucket = Bucket.of(stack);
      await eventually(async () => expect([...(await bucket.list('erasures/')).keys()]).toContain(`erasures/${erasureId}`));
      await stack.app('organization').stop();
      await stack.rows('DELETE FROM organization.erasures WHERE erasure_id = $1', [erasureId]);
      await stack.rows('UPDATE organization.organizations SET closed_at = NULL WHERE organization_id = $1', [school.organizationId]);
      await stack.app('organization').start();
      await eventually(async () => expect(await statusOf(school.organizationId)).toMatchObject({ erasureId, status: 'PENDING' }));
      expect((await adminApi(stack).get(path)).body.data.closedAt).toEqual(expect.any(String));
    });
  });
});
