import { participantConnection, roomCreated } from '@classroom/contracts';
import { eventually, newOrganization, publishFact, TestStack, type ApiClient } from '@classroom/testing';

/** Reports over sessions that were told as facts, with times of our choosing. */
describe('reports', () => {
  let stack: TestStack;
  let api: ApiClient;
  let organizationId: string;
  const day = '2026-03-10';

  beforeAll(async () => {
    stack = await TestStack.start();
    ({ api, organizationId } = await newOrganization(stack));
    await tell();
  }, 120_000);

  afterAll(() => stack?.stop(), 60_000);

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

  /** As the room service's outbox would. */
  async function tell(): Promise<void> {
    for (const room of rooms) await publishFact(stack, roomCreated, room.sid, { ...room, organizationId, createdAt: `${day}T08:00:00.000Z`, autoRecord: false });
    for (const [index, { room, ...session }] of sessions.entries()) {
      const { sid, roomId } = rooms[room] as (typeof rooms)[number];
      const fact = { organizationId, sid, roomId, connectionSid: `PA_${index}`, role: 'STUDENT', ip: null, openedBy: 'webhook', closedBy: session.leftAt ? 'webhook' : null, version: index + 1, ...session };
      await publishFact(stack, participantConnection, sid, fact);
    }
    await eventually(async () => {
      const [row] = await stack.rows<{ count: number }>('SELECT count(*)::int AS count FROM billing.sessions WHERE organization_id = $1', [organizationId]);
      expect(row?.count).toBe(sessions.length);
    });
  }

  const report = async (body: object) => (await api.post('/v1/participant/sessions', { uid: 'ada', ...body })).body.data;

  it('groups one day by room, newest first, and adds up', async () => {
    expect(await report({ startDate: day })).toEqual({
      participant: { uid: 'ada', name: 'Ada Lovelace', role: 'STUDENT' },
      roomGroups: [
        {
          roomId: 'biology',
          roomTitle: '=HYPERLINK("x")',
          sessions: [{ joinedAt: `${day}T23:59:59.000Z`, leftAt: '2026-03-11T00:10:00.000Z', duration: 601, creditsConsumed: 10.02, ipAddress: '2001:db8::7', isActive: false }],
          totalDuration: 601,
          totalCredits: 11,
          averageDuration: 601,
          sessionCount: 1,
        },
        {
          roomId: 'algebra',
          roomTitle: 'Algebra, "advanced"',
          sessions: [
            { joinedAt: `${day}T09:40:00.000Z`, leftAt: `${day}T10:00:00.000Z`, duration: 1200, creditsConsumed: 20, ipAddress: '203.0.113.7', isActive: false },
            { joinedAt: `${day}T09:00:00.000Z`, leftAt: `${day}T09:30:30.000Z`, duration: 1830, creditsConsumed: 30.5, isActive: false },
          ],
          totalDuration: 3030,
          totalCredits: 51,
          averageDuration: 1515,
          sessionCount: 2,
        },
      ],
      summary: { totalSessions: 3, totalDuration: 3631, totalCredits: 61, averageDuration: 1210, roomsAttended: 2, dateRange: { from: day, to: day } },
      pagination: { page: 1, limit: 10, totalRooms: 2, hasMore: false },
    });
  });

  it('takes a range with both its days, a timestamp for its day, and pages', async () => {
    const range = { startDate: `${day}T18:00:00+02:00`, endDate: '2026-03-12' };
    expect((await report(range)).summary).toMatchObject({ totalSessions: 4, dateRange: { from: day, to: '2026-03-12' } });
    const second = await report({ ...range, page: 2, limit: 1 });
    expect(second.roomGroups.map(({ roomId }: { roomId: string }) => roomId)).toEqual(['algebra']);
    expect(second.pagination).toEqual({ page: 2, limit: 1, totalRooms: 2, hasMore: false });
    const one = await report({ ...range, roomId: 'algebra', limit: 1 });
    expect(one).toMatchObject({ room: { roomId: 'algebra', roomTitle: 'Algebra, "advanced"', totalDuration: 3030, totalCredits: 51 }, pagination: { page: 1, limit: 1, total: 2, hasMore: true } });
    expect(one.sessions).toHaveLength(1);
  });

  it('shows an active session with its duration so far', async () => {
    const { roomGroups } = await report({ startDate: '2026-03-12' });
    expect(roomGroups[0].sessions[0]).toMatchObject({ leftAt: null, isActive: true });
    expect(roomGroups[0].sessions[0].duration).toBeGreaterThan(0);
  });

  it('writes all rooms as CSV, to the letter', async () => {
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

  it('writes one room as CSV, numbered, an active session without its end', async () => {
    const single = { uid: 'ada', startDate: day, endDate: '2026-03-12', roomId: 'biology', export: 'csv' };
    const lines = (await api.post('/v1/participant/sessions', single)).text.split('\r\n');
    expect(lines.slice(0, 6)).toEqual(['Participant Session Report - Single Room', 'Participant UID,ada', 'Participant Name,"Ada Lovelace"', 'Role,STUDENT', 'Room ID,biology', `Room Title,"'=HYPERLINK(""x"")"`]);
    expect(lines).toContain('Session #,Joined At,Left At,Duration (minutes),Credits Consumed,Status,IP Address');
    expect(lines.at(-3)).toMatch(/^1,2026-03-12T08:00:00\.000Z,,\d+\.\d\d,\d+\.\d\d,Active,$/);
    expect(lines.at(-2)).toBe(`2,${day}T23:59:59.000Z,2026-03-11T00:10:00.000Z,10.02,10.02,Completed,2001:db8::7`);
  });

  it('shows another organization nothing of it', async () => {
    const { api: other } = await newOrganization(stack);
    const { body } = await other.post('/v1/participant/sessions', { uid: 'ada', startDate: day });
    expect(body.data).toMatchObject({ participant: { name: null }, roomGroups: [], summary: { totalSessions: 0 } });
    expect((await other.get('/v1/room/algebra/attendance')).status).toBe(404);
    expect((await other.get('/v1/room/algebra/summary')).status).toBe(404);
  });
});
