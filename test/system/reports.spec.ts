import { randomUUID } from 'node:crypto';
import { participantConnection, roomStarted } from '@classroom/contracts';
import {
  addPolls,
  adminApi,
  eventually,
  first,
  newOrganization,
  newRoom,
  publishFact,
  sessionsOf,
  sharedStack,
  type ApiClient,
  type RunningStack,
} from '@classroom/testing';

/** Reports over sessions that are published as facts, with times chosen by the test. */
describe('reports', () => {
  let stack: RunningStack;
  let api: ApiClient;
  let organizationId: string;
  const day = '2026-03-10';

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api, organizationId } = await newOrganization(stack));
    await tell();
  });

  const rooms = [
    { sid: 'RM_AAAAAAAAAAAAAAAA', roomId: 'algebra', title: 'Algebra, "advanced"' },
    { sid: 'RM_BBBBBBBBBBBBBBBB', roomId: 'biology', title: '=HYPERLINK("x")' },
  ];
  const sessions = [
    { room: 0, uid: 'ada', name: 'Ada L', joinedAt: `${day}T09:00:00.000Z`, leftAt: `${day}T09:30:30.000Z` },
    { room: 0, uid: 'ada', name: 'Ada L', joinedAt: `${day}T09:40:00.000Z`, leftAt: `${day}T10:00:00.000Z`, ip: '203.0.113.7' },
    { room: 1, uid: 'ada', name: 'Ada Lovelace', joinedAt: `${day}T23:59:59.000Z`, leftAt: '2026-03-11T00:10:00.000Z', ip: '2001:db8::7' },
    { room: 1, uid: 'ada', name: 'Ada Lovelace', joinedAt: '2026-03-12T08:00:00.000Z', leftAt: null },
    { room: 0, uid: 'bob', name: 'Bob', joinedAt: `${day}T09:00:00.000Z`, leftAt: `${day}T09:01:00.000Z` },
  ];

  /** Publishes the facts as the room service's outbox would. */
  async function tell(): Promise<void> {
    for (const room of rooms)
      await publishFact(stack, roomStarted, room.sid, { ...room, organizationId, startedAt: `${day}T08:00:00.000Z` });
    for (const [index, { room, ...session }] of sessions.entries()) {
      const { sid, roomId } = rooms[room] as (typeof rooms)[number];
      const fact = {
        organizationId,
        sid,
        roomId,
        connectionSid: `PA_${index}`,
        role: 'STUDENT',
        ip: null,
        openedBy: 'webhook',
        closedBy: session.leftAt ? 'webhook' : null,
        version: index + 1,
        ...session,
      };
      await publishFact(stack, participantConnection, sid, fact);
    }
    await eventually(async () => {
      const known = await Promise.all(rooms.map(({ sid }) => sessionsOf(stack, sid)));
      expect(known.flat()).toHaveLength(sessions.length);
    });
  }

  const report = async (body: object) => (await api.post('/v1/participant/sessions', { uid: 'ada', ...body })).body.data;

  it('group one day by room, newest first, and add up', async () => {
    const evidence = { openedBy: 'webhook', closedBy: 'webhook' };
    expect(await report({ startDate: day })).toEqual({
      participant: { uid: 'ada', name: 'Ada Lovelace', role: 'STUDENT' },
      roomGroups: [
        {
          roomId: 'biology',
          roomTitle: '=HYPERLINK("x")',
          sessions: [
            {
              joinedAt: `${day}T23:59:59.000Z`,
              leftAt: '2026-03-11T00:10:00.000Z',
              duration: 601,
              creditsConsumed: 10.02,
              ipAddress: '2001:db8::7',
              isActive: false,
              ...evidence,
            },
          ],
          totalDuration: 601,
          totalCredits: 11,
          averageDuration: 601,
          sessionCount: 1,
        },
        {
          roomId: 'algebra',
          roomTitle: 'Algebra, "advanced"',
          sessions: [
            {
              joinedAt: `${day}T09:40:00.000Z`,
              leftAt: `${day}T10:00:00.000Z`,
              duration: 1200,
              creditsConsumed: 20,
              ipAddress: '203.0.113.7',
              isActive: false,
              ...evidence,
            },
            {
              joinedAt: `${day}T09:00:00.000Z`,
              leftAt: `${day}T09:30:30.000Z`,
              duration: 1830,
              creditsConsumed: 30.5,
              isActive: false,
              ...evidence,
            },
          ],
          totalDuration: 3030,
          totalCredits: 51,
          averageDuration: 1515,
          sessionCount: 2,
        },
      ],
      summary: {
        totalSessions: 3,
        totalDuration: 3631,
        totalCredits: 61,
        averageDuration: 1210,
        roomsAttended: 2,
        dateRange: { from: day, to: day },
      },
      pagination: { page: 1, limit: 10, totalRooms: 2, hasMore: false },
    });
  });

  it('accept a range including both days, a timestamp as its day, and pages', async () => {
    const range = { startDate: `${day}T18:00:00+02:00`, endDate: '2026-03-12' };
    expect((await report(range)).summary).toMatchObject({ totalSessions: 4, dateRange: { from: day, to: '2026-03-12' } });
    const second = await report({ ...range, page: 2, limit: 1 });
    expect(second.roomGroups.map(({ roomId }: { roomId: string }) => roomId)).toEqual(['algebra']);
    expect(second.pagination).toEqual({ page: 2, limit: 1, totalRooms: 2, hasMore: false });
    const one = await report({ ...range, roomId: 'algebra', limit: 1 });
    expect(one).toMatchObject({
      room: { roomId: 'algebra', roomTitle: 'Algebra, "advanced"', totalDuration: 3030, totalCredits: 51 },
      pagination: { page: 1, limit: 1, total: 2, hasMore: true },
    });
    expect(one.sessions).toHaveLength(1);
  });

  it('show an active session with its duration so far', async () => {
    const { roomGroups } = await report({ startDate: '2026-03-12' });
    const session = first(first(roomGroups).sessions);
    expect(session).toMatchObject({ leftAt: null, isActive: true });
    expect(session.duration).toBeGreaterThan(0);
  });

  it('export all rooms as CSV', async () => {
    const answer = await api.post('/v1/participant/sessions', { uid: 'ada', startDate: day, export: 'csv', limit: 1 });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    expect(answer.text.split('\r\n')).toEqual([
      'Participant Session Report',
      'Participant UID,ada',
      'Participant Name,"Ada Lovelace"',
      'Role,STUDENT',
      '',
      'Summary',
      'Total Rooms Attended,2',
      'Total Sessions,3',
      'Total Time (minutes),60.52',
      'Total Credits Consumed,61',
      'Average Session Duration (minutes),20.17',
      '',
      'Room Summary',
      'Room ID,Room Title,Sessions,Total Time (min),Credits Consumed,Avg Session (min)',
      `biology,"'=HYPERLINK(""x"")",1,10.02,11,10.02`,
      'algebra,"Algebra, ""advanced""",2,50.50,51,25.25',
      '',
      'Detailed Sessions',
      'Room ID,Room Title,Joined At,Left At,Duration (min),Credits,Status,IP Address',
      `biology,"'=HYPERLINK(""x"")",${day}T23:59:59.000Z,2026-03-11T00:10:00.000Z,10.02,10.02,Completed,2001:db8::7`,
      `algebra,"Algebra, ""advanced""",${day}T09:40:00.000Z,${day}T10:00:00.000Z,20.00,20.00,Completed,203.0.113.7`,
      `algebra,"Algebra, ""advanced""",${day}T09:00:00.000Z,${day}T09:30:30.000Z,30.50,30.50,Completed,`,
      '',
    ]);
  });

  it('export one room as CSV, numbered, with an active session without its end', async () => {
    const single = { uid: 'ada', startDate: day, endDate: '2026-03-12', roomId: 'biology', export: 'csv' };
    const lines = (await api.post('/v1/participant/sessions', single)).text.split('\r\n');
    expect(lines.slice(0, 6)).toEqual([
      'Participant Session Report - Single Room',
      'Participant UID,ada',
      'Participant Name,"Ada Lovelace"',
      'Role,STUDENT',
      'Room ID,biology',
      `Room Title,"'=HYPERLINK(""x"")"`,
    ]);
    expect(lines).toContain('Session #,Joined At,Left At,Duration (minutes),Credits Consumed,Status,IP Address');
    const table = (await api.post('/v1/participant/sessions', { ...single, format: 'table' })).text.split('\r\n');
    expect([table[0], table.length]).toEqual([lines.at(-4), 4]);
    expect(lines.at(-3)).toMatch(/^1,2026-03-12T08:00:00\.000Z,,\d+\.\d\d,\d+\.\d\d,Active,$/);
    expect(lines.at(-2)).toBe(`2,${day}T23:59:59.000Z,2026-03-11T00:10:00.000Z,10.02,10.02,Completed,2001:db8::7`);
  });

  /** They have no meter, and the next file that uses the stack looks for the meter of each session. */
  const forgetSessions = (prefix: string) =>
    stack.rows('DELETE FROM billing.sessions_by_month WHERE starts_with(connection_sid, $1)', [prefix]);

  it('return the attendance of 5,000 participants with the longest names', async () => {
    const [name, count] = ['課'.repeat(256), 5_000];
    const { roomId } = await newRoom(api);
    await stack.rows(
      `INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, left_at, opened_by, closed_by, version, month)
       SELECT 'PA_lecture_' || n, r.sid, r.organization_id, 'student-' || lpad(n::text, 100, '0'), $2, 'STUDENT', $3::timestamptz + n % 100 * interval '1 second', $3::timestamptz + interval '1 hour', 'webhook', 'webhook', n, billing.session_month($3::timestamptz)
         FROM room.rooms r, generate_series(1, $4) n WHERE r.room_id = $1 AND r.organization_id = $5`,
      [roomId, name, `${day}T09:00:00.000Z`, count, organizationId],
    );
    const { status, body } = await api.get(`/v1/room/${roomId}/attendance`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ roomId, totalParticipants: count });
    expect(Object.keys(body.data)).not.toContain('nextCursor');
    const { participants } = body.data as { participants: { uid: string; name: string; firstJoinedAt: string; duration: number }[] };
    expect(new Set(participants.map(({ uid }) => uid)).size).toBe(count);
    expect(participants.every((one) => one.name === name)).toBe(true);
    const joins = participants.map(({ firstJoinedAt }) => firstJoinedAt);
    expect(joins).toEqual([...joins].sort());
    const csv = (await api.get(`/v1/room/${roomId}/attendance?export=csv`)).text.split('\r\n');
    await forgetSessions('PA_lecture_');
    expect(csv.filter((line) => line.startsWith('student-')).map((line) => line.split(',')[0])).toEqual(participants.map(({ uid }) => uid));
  });

  it('return the polls of 1,500 participants with the longest names, which are several pages, each vote once, in the order of the votes', async () => {
    const [name, count] = ['課'.repeat(256), 1_500];
    const { roomId, sid } = await newRoom(api);
    await addPolls(stack, sid, new Date(`${day}T09:00:00.000Z`), name, count);
    const { status, body } = await api.get(`/v1/room/${roomId}/polls`);
    expect(status).toBe(200);
    const polls = body.data as { question: string; totalVotes: number; votes: { uid: string; votedAt: string }[] }[];
    expect(polls.map(({ question, votes }) => [question, votes.length, new Set(votes.map(({ uid }) => uid)).size])).toEqual([
      ['Which 1', count, count],
      ['Which 2', 0, 0],
      ['Which 3', count, count],
    ]);
    // Three have the same time: they are in the order of their uids.
    const votes = polls[0]?.votes.map(({ votedAt, uid }) => `${votedAt} ${uid}`) ?? [];
    expect(votes).toEqual([...votes].sort());
  });

  it('explain a charge by 10,000 sessions', async () => {
    const [count, entryId] = [10_000, randomUUID()];
    const { roomId } = await newRoom(api);
    await stack.rows(
      `WITH r AS (SELECT sid, organization_id FROM room.rooms WHERE room_id = $1 AND organization_id = $3),
            s AS (INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, left_at, opened_by, closed_by, version, month)
                  SELECT 'PA_hall_' || n, r.sid, r.organization_id, 'student-' || lpad(n::text, 100, '0'), 'Ada', 'STUDENT', $2::timestamptz + n % 60 * interval '1 second', $2::timestamptz + interval '2 minutes', 'webhook', 'webhook', n, billing.session_month($2::timestamptz)
                    FROM r, generate_series(1, $4) n)
       INSERT INTO billing.ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency, recorded_at, sid, room_id, meter_sequence)
       SELECT $5, r.organization_id, 'CHARGE', 'customer', 'usage', 1, 1, 'USD', now(), r.sid, $1, 1 FROM r`,
      [roomId, `${day}T09:00:00.000Z`, organizationId, count, entryId],
    );
    const { status, body } = await adminApi(stack).get(`/v1/admin/organizations/${organizationId}/ledger/${entryId}/explain`);
    // No balance contains this entry, and the next file that uses the stack compares balances with entries.
    await stack.rows('DELETE FROM billing.ledger_entries WHERE entry_id = $1', [entryId]);
    await forgetSessions('PA_hall_');
    expect(status).toBe(200);
    const { sessions, ...rest } = body.data as {
      sessions: { connectionSid: string; joinedAt: string; seconds: number }[];
      totalSeconds: number;
    };
    expect(new Set(sessions.map(({ connectionSid }) => connectionSid)).size).toBe(count);
    expect(sessions.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(rest.totalSeconds);
    const joins = sessions.map(({ joinedAt }) => joinedAt);
    expect(joins).toEqual([...joins].sort());
    expect(Object.keys(rest)).not.toContain('nextCursor');
  });

  it('show a room without participants as created', async () => {
    const { roomId } = await newRoom(api);
    const { body } = await api.get(`/v1/room/${roomId}/attendance`);
    expect(body.data).toMatchObject({ state: 'created', status: 'live', startedAt: null, totalParticipants: 0 });
  });

  it('show nothing to another organization', async () => {
    const { api: other } = await newOrganization(stack);
    const { body } = await other.post('/v1/participant/sessions', { uid: 'ada', startDate: day });
    expect(body.data).toMatchObject({ participant: { name: null }, roomGroups: [], summary: { totalSessions: 0 } });
    expect((await other.get('/v1/room/algebra/attendance')).status).toBe(404);
    expect((await other.get('/v1/room/algebra/summary')).status).toBe(404);
  });
});
