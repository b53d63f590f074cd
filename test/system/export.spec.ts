import { createHash, randomBytes } from 'node:crypto';
import {
  type ApiClient,
  Bucket,
  enterClass,
  eventually,
  expectLedgerInvariants,
  newOrganization,
  newRoom,
  reportMinute,
  RtcParticipant,
  TestStack,
  unzip,
  WebhookReceiver,
} from '@classroom/testing';

const BILLING = { type: 'PREPAID', credits: 1_000, creditRate: 0.01, currency: 'EUR' };
const DAY_MS = 86_400_000;
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
/** Asked for when a recording starts; an answer is possible before. */
const CONSENT = { ask: 'recording', without: 'hide', version: '1', text: 'We record this class.' };
/** The export itself, which the manifest describes; and calls that are not in the audit log yet. */
const NOT_EXPORTED = ['organization.exports', 'organization.audit_pending'];

interface Person {
  /** In everything that the person leaves, and in nothing of others. */
  mark: string;
  participant: { uid: string; name: string; role: string };
}

interface School {
  api: ApiClient;
  value: string;
  organizationId: string;
  pupil: Person;
  friend: Person;
  teacher: Person;
}

function newPerson(role: string): Person {
  const mark = `m${randomBytes(4).toString('hex')}`;
  return { mark, participant: { uid: `${mark}-uid`, name: `Ada ${mark}`, role } };
}

/** Kills and stops processes of its own stack, and moves its clock. */
describe('an export', () => {
  let stack: TestStack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'ai', 'recording', 'media', 'gateway'] });
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
    await receiver?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  async function newSchool(): Promise<School> {
    const { api, value, organizationId } = await newOrganization(stack, { billing: BILLING });
    expect((await api.post('/v1/webhook-endpoints', { url: receiver.url('/school') })).status).toBe(200);
    const people = { pupil: newPerson('STUDENT'), friend: newPerson('STUDENT'), teacher: newPerson('TEACHER') };
    return { api, value, organizationId, ...people };
  }

  /** A class that is over, in which everyone left something everywhere. */
  async function pastClass({ api, value, ...people }: School): Promise<{ roomId: string; sid: string }> {
    const { roomId, sid } = await newRoom(api, {
      settings: { consent: { recording: CONSENT } },
      roster: [people.pupil, people.friend].map(({ participant }) => participant),
    });
    const teacher = await enterClass(stack, api, roomId, people.teacher.participant);
    const pupil = await enterClass(stack, api, roomId, people.pupil.participant);
    const friend = await enterClass(stack, api, roomId, people.friend.participant);
    await pupil.post('/v1/classroom/chat', { text: `I am ${people.pupil.mark}` });
    await teacher.post('/v1/classroom/chat', { text: `I am ${people.teacher.mark}` });
    const { data: said } = (await friend.post('/v1/classroom/chat', { text: `I am ${people.friend.mark}` })).body;
    await pupil.post('/v1/classroom/reactions', { emoji: '👍' });
    const consent = { purpose: 'recording', version: CONSENT.version, granted: true };
    for (const student of [pupil, friend]) expect((await student.post('/v1/classroom/consent', consent)).status).toBe(200);
    const { pollId } = (await teacher.post('/v1/classroom/polls', { question: 'Ready?', options: ['Yes', 'No'] })).body.data;
    await pupil.post(`/v1/classroom/polls/${pollId}/vote`, { option: 1 });
    await friend.post(`/v1/classroom/polls/${pollId}/vote`, { option: 0 });
    await pupil.post('/v1/classroom/hand', { raised: true });
    await teacher.post(`/v1/classroom/participants/${people.pupil.participant.uid}/speak`, { allowed: true });
    await pupil.post(`/v1/classroom/chat/${said.id}/report`);
    await teacher.delete(`/v1/classroom/chat/${said.id}`);
    for (const [student, { participant }] of [
      [pupil, people.pupil],
      [friend, people.friend],
    ] as const) {
      const { uid } = participant;
      const question = { roomId, studentUid: uid, organizationId: value, text: `Who is ${uid}?` };
      expect((await api.post('/v1/ai-tutor/chat', question)).status).toBe(200);
      const { turns } = (await student.get('/v1/classroom/tutor')).body.data;
      await student.post(`/v1/classroom/tutor/questions/${turns[0].questionId}/ask-teacher`);
      await teacher.post(`/v1/classroom/tutor/questions/${turns[0].questionId}/resolve`);
    }
    await reportMinute(stack, pupil, { sid, uid: people.pupil.participant.uid });
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/summary`)).body.data.totalCredits).toBeGreaterThan(0));
    await api.delete(`/v1/room/${roomId}`);
    await eventually(async () => {
      const [meter] = await stack.rows<{ settled_at: Date | null }>('SELECT settled_at FROM billing.room_meters WHERE sid = $1', [sid]);
      expect(meter?.settled_at).toBeInstanceOf(Date);
      const { events } = (await api.get('/v1/events?types=attendance.evaluated')).body.data;
      expect(events.map(({ data }: { data: { roomId: string } }) => data.roomId)).toContain(roomId);
    });
    return { roomId, sid };
  }

  /** The rows with the mark by table. Partitions are counted as their table; published facts stay in the outbox for an hour. */
  async function rowsWithMark(mark: string): Promise<Record<string, number>> {
    const tables = await stack.rows<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('organization', 'room', 'billing', 'ai', 'recording', 'media') AND c.relkind IN ('r', 'p')
          AND NOT c.relispartition AND c.relname <> 'outbox' ORDER BY 1`,
    );
    const found: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await stack.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${name} t WHERE t::text LIKE '%${mark}%'`);
      if (row?.count) found[name] = row.count;
    }
    return found;
  }

  const request = async ({ api }: School, subject: object) => (await api.post('/v1/privacy/exports', subject)).body.data;
  const answerOf = async ({ api }: School, exportId: string) => (await api.get(`/v1/privacy/exports/${exportId}`)).body.data;
  async function completed(school: School, exportId: string) {
    await eventually(async () => expect((await answerOf(school, exportId)).status).toBe('COMPLETED'));
    return answerOf(school, exportId);
  }

  /** Downloads a completed export, and verifies its sums and its manifest. */
  async function download(school: School, exportId: string): Promise<Record<string, string>> {
    const { downloadUrl, sha256, bytes, stores } = await completed(school, exportId);
    const file = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
    expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
    const { 'manifest.json': manifest = '', ...files } = await unzip(file);
    const described = JSON.parse(manifest);
    expect(described).toMatchObject({ exportId, readme: expect.stringContaining('Recordings') });
    expect(described.files).toEqual(
      Object.entries(files).map(([path, text]) => ({
        path,
        records: linesOf(text).length,
        bytes: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('hex'),
      })),
    );
    const counts = Object.fromEntries(
      stores.map(({ service, store, count }: { service: string; store: string; count: number }) => [`${service}/${store}.jsonl`, count]),
    );
    expect(counts).toEqual(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, linesOf(text).length])));
    return files;
  }

  const exported = async (school: School, subject: object) => download(school, (await request(school, subject)).exportId);
  const countOf = (files: Record<string, string>, path: string) => linesOf(files[`${path}.jsonl`]).length;
  const subjectOf = ({ participant: { uid } }: Person) => ({ uid });

  /** Exports one person, and compares with all tables. */
  async function exportPerson(school: School, person: Person): Promise<Record<string, string>> {
    const rows = Object.entries(await rowsWithMark(person.mark)).filter(([table]) => !NOT_EXPORTED.includes(table));
    expect(rows.length).toBeGreaterThan(8);
    const files = await exported(school, subjectOf(person));
    const found = rows.map(([table]) => [table, (FILES[table] ?? []).reduce((sum, path) => sum + countOf(files, path), 0)]);
    expect(found).toEqual(rows);
    const text = Object.values(files).join('');
    for (const { mark } of [school.pupil, school.friend, school.teacher].filter((one) => one !== person)) expect(text).not.toContain(mark);
    return files;
  }

  it('of a pupil contains every row about the pupil, and nothing of the others', async () => {
    const school = await newSchool();
    await pastClass(school);
    await pastClass(school);
    const { mark, participant } = school.pupil;
    const files = await exportPerson(school, school.pupil);
    expect(linesOf(files['room/chat-messages.jsonl']).map((line) => JSON.parse(line).text)).toEqual([`I am ${mark}`, `I am ${mark}`]);
    const vote = expect.objectContaining({ uid: participant.uid, question: 'Ready?', option: 'No' });
    expect(linesOf(files['room/poll-votes.jsonl']).map((line) => JSON.parse(line))).toEqual([vote, vote]);
    expect(countOf(files, 'ai/turns')).toBe(2);
  });

  it('of a teacher contains what the teacher did to others, without the others', async () => {
    const school = await newSchool();
    await pastClass(school);
    const files = await exportPerson(school, school.teacher);
    const does = ['ai/resolved-questions', 'room/chat-deletions', 'room/permissions-to-speak', 'room/polls'];
    expect(does.map((path) => countOf(files, path))).toEqual([2, 1, 1, 1]);
  });

  it('of a class contains everyone in it and no other class, and that of the organization contains all, without secrets', async () => {
    const [school, stranger] = [await newSchool(), await newSchool()];
    const [room, other] = [await pastClass(school), await pastClass(school)];
    const foreign = await pastClass(stranger);
    const ofClass = Object.values(await exported(school, { roomId: room.roomId })).join('');
    const { pupil, friend, teacher } = school;
    for (const part of [room.sid, pupil.mark, friend.mark, `"resolvedBy":"${teacher.participant.uid}"`]) expect(ofClass).toContain(part);
    for (const part of [other.sid, other.roomId, foreign.sid]) expect(ofClass).not.toContain(part);
    const files = await exported(school, { organization: true });
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

  it('is made again after a kill in the middle or at the end, and no file is offered before', async () => {
    const school = await newSchool();
    await pastClass(school);
    const bucket = Bucket.of(stack);
    const organization = stack.app('organization');
    for (const failpoint of ['after-page', 'before-commit']) {
      const objects = new Set((await bucket.list('exports/')).keys());
      await organization.stop();
      organization.launch({ FAILPOINTS: `organization.export.${failpoint}=crash` });
      await organization.ready();
      const { exportId } = await request(school, subjectOf(school.pupil));
      expect((await organization.exited).signal).toBe('SIGKILL');
      const left = [...(await bucket.list('exports/')).keys()].filter((key) => !objects.has(key));
      expect(left.length).toBe(failpoint === 'before-commit' ? 1 : 0);
      const [row] = await stack.rows('SELECT attempt, completed_at, sha256 FROM organization.exports WHERE export_id = $1', [exportId]);
      expect(row).toEqual({ attempt: 1, completed_at: null, sha256: null });
      await organization.start();
      expect((await download(school, exportId))['room/chat-messages.jsonl']).toContain(school.pupil.mark);
      const keys = [...(await bucket.list('exports/')).keys()].filter((key) => key.includes(exportId));
      expect(keys).toEqual([expect.stringMatching(/\/[2-9]\.zip$/)]);
    }
  });

  it('waits for a service that is down, and is one of five unfinished ones at most', async () => {
    const school = await newSchool();
    const room = await pastClass(school);
    await stack.app('billing').stop();
    const subjects = [school.pupil, school.friend, school.teacher].map(subjectOf);
    const requested = await Promise.all(
      [...subjects, { roomId: room.roomId }, { organization: true }].map((subject) => request(school, subject)),
    );
    await eventually(async () => {
      const answers = await Promise.all(requested.map(({ exportId }) => answerOf(school, exportId)));
      const running = answers.filter(({ waitingFor }) => !waitingFor.includes('ai'));
      expect(running.length).toBeGreaterThanOrEqual(2);
      for (const { status, waitingFor, downloadUrl } of running)
        expect([status, waitingFor[0], downloadUrl]).toEqual(['RUNNING', 'billing', null]);
    });
    const refused = await school.api.post('/v1/privacy/exports', { uid: 'another' });
    expect([refused.status, refused.body.error]).toEqual([429, 'TOO_MANY_EXPORTS']);
    await stack.app('billing').start();
    for (const { exportId } of requested) expect(linesOf((await download(school, exportId))['billing/sessions.jsonl'])).not.toEqual([]);
    expect((await school.api.post('/v1/privacy/exports', { uid: 'another' })).status).toBe(200);
  });

  it('is of one subject of the own organization, and its request is in the audit log', async () => {
    const [school, stranger] = [await newSchool(), await newSchool()];
    await pastClass(school);
    for (const body of [
      {},
      { uid: 'a', roomId: 'b' },
      { uid: 'a', organization: true },
      { organization: false },
      { uid: '' },
      { all: true },
    ]) {
      expect((await school.api.post('/v1/privacy/exports', body)).status).toBe(400);
    }
    const theirs = Object.values(await exported(stranger, subjectOf(school.pupil))).join('');
    expect(theirs).not.toContain('I am');
    const created = await request(school, subjectOf(school.pupil));
    expect(created).toMatchObject({ exportId: expect.stringMatching(/^exp_[A-Za-z0-9]{20}$/), status: 'PENDING', downloadUrl: null });
    const { exportId } = created;
    const foreign = await stranger.api.get(`/v1/privacy/exports/${exportId}`);
    expect([foreign.status, foreign.body.error]).toEqual([404, 'EXPORT_NOT_FOUND']);
    await completed(school, exportId);
    await eventually(async () => {
      const { entries } = (await school.api.get('/v1/audit?operation=createExport')).body.data;
      expect(entries).toEqual([expect.objectContaining({ target: subjectOf(school.pupil), status: 200 })]);
    });
  });

  it('is deleted when its subject is erased, and after seven days', async () => {
    const school = await newSchool();
    await pastClass(school);
    const bucket = Bucket.of(stack);
    const keysOf = async (exportId: string) => [...(await bucket.list('exports/')).keys()].filter((key) => key.includes(exportId));
    const [erased, kept] = [await request(school, subjectOf(school.pupil)), await request(school, subjectOf(school.friend))];
    const { downloadUrl } = await completed(school, erased.exportId);
    const { availableUntil, completedAt, urlExpiresAt } = await completed(school, kept.exportId);
    expect(Date.parse(availableUntil) - Date.parse(completedAt)).toBe(7 * DAY_MS);
    expect(Date.parse(urlExpiresAt) - Date.now()).toBeLessThanOrEqual(300_000);
    await school.api.post('/v1/privacy/erasures', subjectOf(school.pupil));
    await eventually(async () =>
      expect((await school.api.get(`/v1/privacy/exports/${erased.exportId}`)).body.error).toBe('EXPORT_EXPIRED'),
    );
    await eventually(async () => expect(await keysOf(erased.exportId)).toEqual([]));
    expect((await fetch(downloadUrl)).status).toBe(404);
    expect(await keysOf(kept.exportId)).toHaveLength(1);
    await stack.moveClock(7 * DAY_MS);
    const { status, body } = await school.api.get(`/v1/privacy/exports/${kept.exportId}`);
    expect([status, body.error]).toEqual([410, 'EXPORT_EXPIRED']);
    await eventually(async () => expect(await keysOf(kept.exportId)).toEqual([]));
    const rows = await stack.rows('SELECT 1 FROM organization.exports WHERE export_id = $1 AND subject IS NOT NULL', [kept.exportId]);
    expect(rows).toEqual([]);
  });
});

const linesOf = (text = '') => text.split('\n').filter(Boolean);
