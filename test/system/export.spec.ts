import { LOGO_SAMPLE } from '@classroom/contracts';
import {
  adminApi,
  eventually,
  expectLedgerInvariants,
  RtcParticipant,
  sharedStack,
  storedRowsWith,
  WebhookReceiver,
  type RunningStack,
} from '@classroom/testing';
import { completed, download, ExportScene, linesOf, type Person, request, type School, subjectOf } from './export-scene.js';

/** The files with the rows of a table. */
const FILES: Record<string, string[]> = {
  'ai.chats': ['ai/dialogues'],
  'ai.questions': ['ai/turns', 'ai/resolved-questions'],
  'ai.turns': ['ai/turns'],
  'ai.usage': ['ai/usage'],
  'billing.sessions_by_month': ['billing/sessions'],
  'organization.audit_entries': ['organization/audit'],
  'organization.events': ['organization/events'],
  'organization.webhook_deliveries': ['organization/webhook-deliveries'],
  'room.chat_messages': ['room/chat-messages', 'room/chat-deletions'],
  'room.chat_reports': ['room/chat-reports'],
  'room.consents': ['room/consents'],
  'room.connections_by_month': ['room/connections'],
  'room.participant_minutes': ['room/measured-minutes'],
  'room.participants': ['room/participants', 'room/permissions-to-speak'],
  'room.poll_votes': ['room/poll-votes'],
  'room.polls': ['room/polls'],
  'room.reactions': ['room/reactions'],
  'room.roster_entries': ['room/roster'],
  'room.session_addresses': ['room/session-addresses'],
};
/** The export itself, which the manifest describes; and calls that are not in the audit log yet. */
const NOT_EXPORTED = [
  'organization.exports',
  'organization.audit_pending',
  'organization.dashboard_sessions',
  'organization.domain_proofs',
];

/** export-faults.long.spec.ts continues with faults and a moved clock. */
describe('an export', () => {
  let stack: RunningStack;
  let receiver: WebhookReceiver;
  let scene: ExportScene;
  /** With two classes that are over. */
  let school: School;
  let classes: { roomId: string; sid: string }[];
  let stranger: School;
  let foreign: { roomId: string; sid: string };

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([sharedStack(), WebhookReceiver.start()]);
    scene = new ExportScene(stack, receiver);
    [school, stranger] = [await scene.newSchool(), await scene.newSchool()];
    const past = [stranger, school, school].map((one) => scene.pastClass(one)) as [ReturnType<ExportScene['pastClass']>];
    [foreign, ...classes] = await Promise.all(past);
    await Promise.all(
      [school, stranger].map(({ organizationId }) =>
        stack.rows(
          `INSERT INTO recording.recordings (recording_key, organization_id, sid, room_id, title, egress_id, engine_ids, options, status, version, requested_at,
             attempted_at, active_at, ended_at, deleted_at)
           SELECT gen_random_uuid(), organization_id, sid, room_id, title, 'EG_' || sid, ARRAY['EG_' || sid], '{}', 'COMPLETED', 1, now(), now(),
             now() - interval '1 hour', now() + interval '1 hour', now()
             FROM room.rooms WHERE organization_id = $1`,
          [organizationId],
        ),
      ),
    );
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await receiver?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  const exported = async (school: School, subject: object) => download(school, (await request(school, subject)).exportId);
  const countOf = (files: Record<string, string>, path: string) => linesOf(files[`${path}.jsonl`]).length;

  /** Exports one person, and compares with all tables. */
  async function exportPerson(person: Person): Promise<Record<string, string>> {
    const rows = Object.entries(await storedRowsWith(stack, person.mark)).filter(([table]) => !NOT_EXPORTED.includes(table));
    expect(rows.length).toBeGreaterThan(8);
    const files = await exported(school, subjectOf(person));
    const found = rows.map(([table]) => [table, (FILES[table] ?? []).reduce((sum, path) => sum + countOf(files, path), 0)]);
    expect(found).toEqual(rows);
    const text = Object.values(files).join('');
    for (const { mark } of [school.pupil, school.friend, school.teacher].filter((one) => one !== person)) expect(text).not.toContain(mark);
    return files;
  }

  it('of a pupil contains every row about the pupil, and nothing of the others', async () => {
    const { mark, participant } = school.pupil;
    const files = await exportPerson(school.pupil);
    expect(linesOf(files['room/chat-messages.jsonl']).map((line) => JSON.parse(line).text)).toEqual([`I am ${mark}`, `I am ${mark}`]);
    const vote = expect.objectContaining({ uid: participant.uid, question: 'Ready?', option: 'No' });
    expect(linesOf(files['room/poll-votes.jsonl']).map((line) => JSON.parse(line))).toEqual([vote, vote]);
    expect(countOf(files, 'ai/turns')).toBe(2);
    const stays = linesOf(files['room/connections.jsonl']).map((line) => JSON.parse(line));
    expect(linesOf(files['recording/present-in.jsonl']).map((line) => JSON.parse(line))).toEqual(
      stays.map(({ sid, roomId, joinedAt, leftAt }) =>
        expect.objectContaining({ recordingId: `rec_EG_${sid}`, sid, roomId, from: joinedAt, until: leftAt }),
      ),
    );
  });

  it('of a teacher contains what the teacher did to others, without the others', async () => {
    const files = await exportPerson(school.teacher);
    const does = ['ai/resolved-questions', 'room/chat-deletions', 'room/permissions-to-speak', 'room/polls'];
    expect(does.map((path) => countOf(files, path))).toEqual([4, 2, 2, 2]);
  });

  it('of a class contains everyone in it and no other class, and that of the organization contains all, without secrets', async () => {
    const [room, other] = classes as [(typeof classes)[0], (typeof classes)[0]];
    const ofClass = Object.values(await exported(school, { roomId: room.roomId })).join('');
    const { pupil, friend, teacher } = school;
    for (const part of [room.sid, pupil.mark, friend.mark, `"resolvedBy":"${teacher.participant.uid}"`]) expect(ofClass).toContain(part);
    for (const part of [other.sid, other.roomId, foreign.sid]) expect(ofClass).not.toContain(part);
    await adminApi(stack).put(`/v1/admin/organizations/${school.organizationId}/logo`, { logo: LOGO_SAMPLE });
    const files = await exported(school, { organization: true });
    const logos = linesOf(files['organization/logos.jsonl']).map((line) => JSON.parse(line));
    expect(logos).toEqual([{ sha256: expect.any(String), number: 0, parts: 1, content: LOGO_SAMPLE }]);
    const text = Object.values(files).join('');
    for (const part of [room.sid, other.sid, receiver.url('/school')]) expect(text).toContain(part);
    for (const part of [foreign.sid, foreign.roomId, stranger.organizationId]) expect(text).not.toContain(part);
    const [endpoint] = linesOf(files['organization/webhook-endpoints.jsonl']).map((line) => JSON.parse(line));
    expect(Object.keys(endpoint).filter((key) => /secret|hash|idempotency/i.test(key))).toEqual([]);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        'billing/ledger-entries.jsonl',
        'billing/plans.jsonl',
        'organization/credentials.jsonl',
        'room/classes.jsonl',
      ]),
    );
    for (const [table, count] of Object.entries(await rowsOf(school, ['room.rooms', 'billing.ledger_entries', 'organization.events'])))
      expect([table, linesOf(files[ORGANIZATION_FILES[table] ?? '']).length]).toEqual([table, count]);
  });

  const ORGANIZATION_FILES: Record<string, string> = {
    'billing.ledger_entries': 'billing/ledger-entries.jsonl',
    'organization.events': 'organization/events.jsonl',
    'room.rooms': 'room/classes.jsonl',
  };
  async function rowsOf({ organizationId }: School, tables: readonly string[]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const [row] = await stack.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE organization_id = $1`, [
        organizationId,
      ]);
      counts[table] = row?.count ?? 0;
    }
    return counts;
  }

  it('is of one subject of the own organization, and its request is in the audit log', async () => {
    const own = await scene.newSchool();
    for (const body of [
      {},
      { uid: 'a', roomId: 'b' },
      { uid: 'a', organization: true },
      { organization: false },
      { uid: '' },
      { all: true },
    ]) {
      expect((await own.api.post('/v1/privacy/exports', body)).status).toBe(400);
    }
    const theirs = Object.values(await exported(stranger, subjectOf(school.friend))).join('');
    expect(theirs).not.toContain('I am');
    const created = await request(own, subjectOf(own.pupil));
    expect(created).toMatchObject({ exportId: expect.stringMatching(/^exp_[A-Za-z0-9]{20}$/), status: 'PENDING', downloadUrl: null });
    const { exportId } = created;
    const refused = await stranger.api.get(`/v1/privacy/exports/${exportId}`);
    expect([refused.status, refused.body.error]).toEqual([404, 'EXPORT_NOT_FOUND']);
    await completed(own, exportId);
    await eventually(async () => {
      const { entries } = (await own.api.get('/v1/audit?operation=createExport')).body.data;
      expect(entries).toEqual([expect.objectContaining({ target: subjectOf(own.pupil), status: 200 })]);
    });
  });
});
