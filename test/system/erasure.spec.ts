import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  adminApi,
  ApiClient,
  connectionsOf,
  enterWithToken,
  eventually,
  expectLedgerInvariants,
  liveKitToken,
  newRoom,
  present,
  RtcParticipant,
  sharedStack,
  WebhookReceiver,
  type RunningStack,
} from '@classroom/testing';
import { attendanceOf, completed, countsOf, erase, ErasureScene, PUPIL, TEACHER } from './erasure-scene.js';

/** Enters with a LiveKit token of the school's own, so that no row but a connection has the name. */
const VISITOR = 'zq-9-mark-visitor';
const DAY_MS = 86_400_000;

/** erasure-faults.long.spec.ts continues with faults and a moved clock. */
describe('an erasure', () => {
  let stack: RunningStack;
  let receiver: WebhookReceiver;
  let scene: ErasureScene;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([sharedStack(), WebhookReceiver.start()]);
    scene = new ErasureScene(stack, receiver);
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await receiver?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  it('leaves nothing of a pupil, and everything of the others, the times and the charges', async () => {
    const school = await scene.newSchool();
    const room = await scene.newClass(school);
    const visitor = await RtcParticipant.connect(stack.urls.livekitPublic, await liveKitToken(stack, VISITOR, { room: room.sid }));
    await eventually(async () => expect((await attendanceOf(school, room.roomId)).map(({ uid }) => uid)).toContain(VISITOR));
    await visitor.leave();
    await room.end();
    const before = await scene.tablesWithMark();
    expect(before).toEqual(
      expect.arrayContaining([
        'ai.turns',
        'organization.events',
        'organization.webhook_deliveries',
        'room.chat_messages',
        'room.participant_minutes',
        'room.participants',
      ]),
    );
    const [attendance, balance] = [await attendanceOf(school, room.roomId), (await school.api.get('/v1/billing/balance')).body.data];
    const requested = await erase(school, { uid: PUPIL.uid });
    expect(requested).toMatchObject({ status: 'PENDING', receipt: null, signature: null });
    const { receipt, waitingFor } = await completed(school, requested.erasureId);
    expect(waitingFor).toEqual([]);
    expect(await scene.tablesWithMark()).toEqual([]);
    expect(countsOf(receipt)).toEqual({
      'ai: AI dialogues': 1,
      'ai: AI usage': expect.any(Number),
      'billing: sessions': 1,
      'organization: events': expect.any(Number),
      'organization: webhooks': expect.any(Number),
      'room: chat messages': 1,
      'room: connection addresses': 1,
      'room: measured minutes': 1,
      'room: participants': 1,
      'room: roster entries': 1,
      'room: session addresses': expect.any(Number),
    });
    expect(receipt?.subjectHash).toBe(createHash('sha256').update(`${requested.erasureId}:uid:${PUPIL.uid}`).digest('hex'));
    const after = await attendanceOf(school, room.roomId);
    const durations = (people: { duration: number }[]) => people.map(({ duration }) => duration).sort();
    expect(durations(after)).toEqual(durations(attendance));
    expect(after.map(({ uid }) => uid).sort()).toEqual([expect.stringMatching(/^erased#/), 'friend', TEACHER.uid, VISITOR]);
    expect((await school.api.get('/v1/billing/balance')).body.data).toEqual(balance);
    const [poll] = (await school.api.get(`/v1/room/${room.roomId}/polls`)).body.data;
    expect(poll?.votes.map(({ uid }) => uid).sort()).toEqual([expect.stringMatching(/^erased#/), 'friend']);
    const { events } = (await school.api.get('/v1/events')).body.data;
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    await Promise.all([TEACHER.uid, VISITOR].map(async (uid) => completed(school, (await erase(school, { uid })).erasureId)));
    expect([...(await scene.tablesWithMark('zq-8-mark')), ...(await scene.tablesWithMark('zq-9-mark'))]).toEqual([]);
  });

  it('requested before the pupil comes to class waits for the end of the class, and then leaves nothing', async () => {
    const school = await scene.newSchool();
    const { roomId, sid } = await newRoom(school.api, {});
    const { token } = (await school.api.post(`/v1/room/${roomId}/join`, { participant: PUPIL })).body.data;
    const { erasureId } = await erase(school, { uid: PUPIL.uid });
    const answer = async () => (await school.api.get(`/v1/privacy/erasures/${erasureId}`)).body.data;
    await eventually(async () => {
      expect(await stack.rows('SELECT 1 FROM room.applied_erasures WHERE erasure_id = $1', [erasureId])).toHaveLength(1);
    });
    const { inClass } = await enterWithToken(stack, school.api, token);
    await inClass.post('/v1/classroom/chat', { text: `I am ${PUPIL.name}` });
    const question = { roomId, studentUid: PUPIL.uid, organizationId: school.value, text: `Who is ${PUPIL.name}?` };
    expect((await school.api.post('/v1/ai-tutor/chat', question)).status).toBe(200);
    const chat = { chatId: 'help', participantUid: PUPIL.uid, message: `I am ${PUPIL.name}` };
    expect((await school.api.post('/v1/ai-agent/chat', chat)).status).toBe(200);
    const refused = await school.api.post('/v1/ai-agent/chat/stream', { ...chat, participantUid: TEACHER.uid });
    expect([refused.status, refused.body.details]).toEqual([400, [expect.objectContaining({ path: 'participantUid' })]]);
    await eventually(async () => expect((await attendanceOf(school, roomId)).map(({ uid }) => uid)).toEqual([PUPIL.uid]));
    expect(await answer()).toMatchObject({ status: 'RUNNING', waitingFor: ['room', 'ai', 'billing', 'recording', 'organization'] });
    await school.api.delete(`/v1/room/${roomId}`);
    const { receipt } = await completed(school, erasureId);
    expect(countsOf(receipt)).toMatchObject({ 'ai: AI dialogues': 2, 'billing: sessions': 1, 'room: participants': 1 });
    expect((await connectionsOf(stack, sid)).filter(({ uid }) => uid.startsWith('erased#'))).toHaveLength(1);
    expect(await scene.tablesWithMark()).toEqual([]);
  });

  it('takes a pupil out of classes to come at once, in a history of any length, and cancels a class to come that is itself erased', async () => {
    const school = await scene.newSchool();
    const settings = { startsAt: new Date(Date.now() + 100 * DAY_MS).toISOString() };
    const { roomId } = await newRoom(school.api, { settings, roster: [PUPIL, { uid: 'friend', name: 'Bob' }] });
    const other = await newRoom(school.api, { roster: [PUPIL] });
    const { token } = (await school.api.post(`/v1/room/${roomId}/join`, { participant: PUPIL })).body.data;
    await stack.rows(
      `WITH last AS (
         INSERT INTO organization.histories (organization_id, last_sequence) VALUES ($1, 5001)
         ON CONFLICT (organization_id) DO UPDATE SET last_sequence = histories.last_sequence + 5001 RETURNING last_sequence)
       INSERT INTO organization.events (organization_id, sequence, event_id, type, occurred_at, data, created_at)
       SELECT $1, last_sequence - 5001 + n, 'evt_' || $1 || n, 'participant.joined', now(), json_build_object('uid', CASE n WHEN 5001 THEN $2 ELSE 'x' END), now()
         FROM last, generate_series(1, 5001) n`,
      [school.organizationId, PUPIL.uid],
    );
    const { receipt } = await completed(school, (await erase(school, { uid: PUPIL.uid })).erasureId);
    expect(countsOf(receipt)).toMatchObject({ 'organization: events': 1, 'room: roster entries': 2, 'room: participants': 1 });
    expect(await scene.tablesWithMark()).toEqual([]);
    expect((await school.api.bearer(token).post('/v1/classroom/session')).status).toBe(401);
    expect((await school.api.get(`/v1/room/${roomId}`)).body.data.endedAt).toBeNull();
    await completed(school, (await erase(school, { roomId })).erasureId);
    const { data } = (await school.api.get(`/v1/room/${roomId}`)).body;
    expect([data.title, data.endedAt]).toEqual(['Erased', expect.any(String)]);
    await school.api.delete(`/v1/room/${other.roomId}`);
  });

  it('has a receipt that anyone can verify, and no change of it passes', async () => {
    const school = await scene.newSchool();
    const { erasureId } = await erase(school, { uid: 'never-here' });
    const answer = await completed(school, erasureId);
    const [receipt, signature] = [present(answer.receipt), present(answer.signature)];
    expect(countsOf(receipt)).toEqual({});
    const key = createPublicKey({ key: Buffer.from(signature.publicKey, 'base64'), format: 'der', type: 'spki' });
    const isSigned = (value: object) => verify(null, Buffer.from(sorted(value)), key, Buffer.from(signature.value, 'base64'));
    expect([isSigned(receipt), isSigned({ ...receipt, completedAt: receipt.requestedAt.replace('2', '3') })]).toEqual([true, false]);
  });

  it('is one of a person or a class of the own organization', async () => {
    const [school, stranger] = [await scene.newSchool(), await scene.newSchool()];
    const room = await scene.newClass(school);
    await room.end();
    for (const body of [
      {},
      { uid: 'a', roomId: 'b' },
      { uid: '' },
      { organizationId: 'x' },
      { organization: false },
      { uid: 'a', organization: true },
    ]) {
      expect((await school.api.post('/v1/privacy/erasures', body)).status).toBe(400);
    }
    const ofStranger = [{ uid: PUPIL.uid }, { roomId: room.roomId }].map(async (subject) => {
      const { receipt } = await completed(stranger, (await erase(stranger, subject)).erasureId);
      expect(countsOf(receipt)).toEqual({});
    });
    await Promise.all(ofStranger);
    expect((await attendanceOf(school, room.roomId)).map(({ uid }) => uid)).toContain(PUPIL.uid);
    const { erasureId } = await erase(school, { uid: PUPIL.uid });
    await eventually(async () => {
      const { entries } = (await school.api.get('/v1/audit?operation=createErasure')).body.data;
      const changes = [{ kind: 'erasure', id: erasureId, before: null, after: { subject: 'uid' } }];
      expect(entries).toEqual([expect.objectContaining({ target: {}, fields: ['uid'], changes })]);
    });
    const foreign = await stranger.api.get(`/v1/privacy/erasures/${erasureId}`);
    expect([foreign.status, foreign.body.error]).toEqual([404, 'ERASURE_NOT_FOUND']);
    await completed(school, erasureId);
  });

  it('of an organization can be requested by an operator, and not while recordings are on a legal hold', async () => {
    const school = await scene.newSchool();
    const path = `/v1/admin/organizations/${school.organizationId}` as const;
    const hold = ({ sid, roomId }: { sid: string; roomId: string }, endedAt: Date | null) =>
      stack.rows(
        `INSERT INTO recording.recordings (recording_key, organization_id, sid, room_id, title, egress_id, engine_ids, options, status, version, requested_at, attempted_at, class_ended_at, held_at)
         VALUES (gen_random_uuid(), $1, $2, $3, 'A', $2, '{}', '{}', 'COMPLETED', 1, now(), now(), $4, now())`,
        [school.organizationId, sid, roomId, endedAt],
      );
    await hold({ sid: 'a-sid', roomId: 'a' }, null);
    const refused = await adminApi(stack).delete(path);
    expect([refused.status, refused.body.error]).toEqual([409, 'LEGAL_HOLD']);
    expect((await school.api.get('/v1/rooms')).status).toBe(200);
    await stack.rows('DELETE FROM recording.recordings WHERE organization_id = $1', [school.organizationId]);
    const room = await newRoom(school.api);
    const { data: requested } = (await adminApi(stack).delete(path)).body;
    expect((await adminApi(stack).delete(path)).body.data.erasureId).toBe(requested.erasureId);
    expect((await adminApi(stack).get(path)).body.data.closedAt).toEqual(expect.any(String));
    expect(requested).toMatchObject({ status: 'PENDING', receipt: null, beginsAt: expect.any(String) });
    expect(Date.parse(present(requested.beginsAt)) - Date.parse(requested.requestedAt)).toBe(3 * DAY_MS);
    expect((await adminApi(stack).patch(path, { name: 'Again' })).status).toBe(404);
    // A hold that was set at the same moment: the closed organization can end it.
    await hold(room, new Date());
    const ended = await school.api.post(`/v1/room/${room.roomId}/recordings/rec_${room.sid}/hold`, { legalHold: false });
    expect([ended.status, ended.body.data?.legalHold]).toEqual([200, false]);
    expect((await adminApi(stack).delete(`${path}/erasure`)).body.data).toMatchObject({ erasureId: requested.erasureId });
    expect((await adminApi(stack).patch(path, { name: 'Again' })).body.data).toMatchObject({ closedAt: null, erasureBeginsAt: null });
    expect((await adminApi(stack).get(`${path}/erasure`)).status).toBe(404);
    const unknown = await adminApi(stack).get('/v1/admin/organizations/unknown/erasure');
    expect([unknown.status, unknown.body.error]).toEqual([404, 'ERASURE_NOT_FOUND']);
  });

  it('of an organization is for VF-ORG-ID alone, closes it for reading for three days, and can be cancelled', async () => {
    const school = await scene.newSchool();
    const { roomId, token } = await newRoom(school.api);
    const { inClass } = await enterWithToken(stack, school.api, token);
    const late = (await school.api.post(`/v1/room/${roomId}/join`, { participant: PUPIL })).body.data.token;
    const { secret } = (await school.api.post('/v1/api-keys', { name: 'Parents', scopes: ['privacy:manage', 'rooms:read'] })).body.data;
    const owner = { subject: 'head', role: 'OWNER' };
    const { token: ofHead } = (await adminApi(stack).post(`/v1/admin/organizations/${school.organizationId}/dashboard-tokens`, owner)).body
      .data;
    const [key, head] = [school.api.bearer(secret), new ApiClient(stack.urls.gateway).bearer(ofHead)];
    for (const client of [key, new ApiClient(stack.urls.gateway).bearer(secret)]) {
      const refused = await client.post('/v1/privacy/erasures', { organization: true });
      expect([refused.status, refused.body.error, refused.body.message]).toEqual([403, 'FORBIDDEN', expect.stringContaining('VF-ORG-ID')]);
    }
    expect((await school.api.get(`/v1/admin/organizations/${school.organizationId}`)).status).toBe(401);
    expect((await key.post('/v1/privacy/erasures', { uid: 'never-here' })).status).toBe(200);

    const { erasureId, beginsAt } = await erase(school, { organization: true });
    expect(beginsAt).toEqual(expect.any(String));
    await eventually(async () => expect((await school.api.post('/v1/room/create', {})).body.error).toBe('FORBIDDEN'));
    for (const [client, path] of [
      [school.api, '/v1/rooms'],
      [school.api, '/v1/webhook-endpoints'],
      [key, '/v1/rooms'],
      [head, '/v1/rooms'],
    ] as const)
      expect([path, (await client.get(path)).status]).toEqual([path, 200]);
    expect((await head.patch('/v1/dashboard/branding', { accentColor: '#f9a825' })).status).toBe(403);
    expect((await school.api.bearer(late).post('/v1/classroom/session')).body.error).toBe('ADMISSION_REFUSED');
    expect((await inClass.post('/v1/classroom/session')).status).toBe(200);

    const path = `/v1/privacy/erasures/${erasureId}` as const;
    expect([(await key.get(path)).status, (await key.delete(path)).body.error]).toEqual([200, 'FORBIDDEN']);
    expect((await school.api.delete(path)).body.data).toEqual({ erasureId, cancelledAt: expect.any(String) });
    expect((await school.api.delete(path)).body.error).toBe('ERASURE_NOT_FOUND');
    await eventually(async () => expect((await school.api.bearer(late).post('/v1/classroom/session')).status).toBe(200));
    const again = await erase(school, { organization: true });
    expect(again.erasureId).not.toBe(erasureId);
    await school.api.delete(`/v1/privacy/erasures/${again.erasureId}`);
    const ofPerson = await erase(school, { uid: 'never-here' });
    expect((await school.api.delete(`/v1/privacy/erasures/${ofPerson.erasureId}`)).body.error).toBe('ERASURE_BEGUN');
    await eventually(async () => expect((await school.api.delete(`/v1/room/${roomId}`)).status).toBe(200));
  });
});

/** JSON with sorted keys, as the reference describes it. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted((value as Record<string, unknown>)[key])}`).join(',')}}`;
}
