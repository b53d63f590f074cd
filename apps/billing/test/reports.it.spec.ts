import { randomUUID } from 'node:crypto';
import { participantConnection, type EventData } from '@classroom/contracts';
import type { RpcClient, TextStreams } from '@classroom/messaging';
import { envelopeOf } from '@classroom/testing';
import { Attendance } from '../src/reports/attendance.js';
import { AttendanceRepository } from '../src/reports/attendance.repository.js';
import { ParticipantSessions } from '../src/reports/participant-sessions.js';
import { ReportsRepository } from '../src/reports/reports.repository.js';
import { BillingFixture } from './support/billing-fixture.js';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();

describe('reports', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  type Stay = Partial<EventData<typeof participantConnection>> & { joinedAt: string };

  async function classWith(stays: Stay[]) {
    const { organizationId } = await fixture.organization();
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const person = { uid: 'ada', name: 'Ada', role: 'STUDENT', ip: null, openedBy: 'webhook', closedBy: 'webhook' };
    const facts = stays.map((stay, n) =>
      envelopeOf(participantConnection, sid, {
        ...room,
        ...person,
        connectionSid: `PA_${sid}_${n}`,
        version: n + 1,
        leftAt: null,
        ...stay,
      }),
    );
    await fixture.foldAll(facts);
    return room;
  }

  const attendanceOf = (room: { organizationId: string; roomId: string; sid: string }, state: 'live' | 'finished') => {
    const times = { startedAt: at(0), endedAt: state === 'finished' ? at(60) : null };
    const rpc = { call: async () => ({ sid: room.sid, title: 'Algebra', state, ...times }) } as unknown as RpcClient;
    return new Attendance(new AttendanceRepository(fixture.database), rpc, fixture.clock, {} as TextStreams).getAttendance(room);
  };

  it('of attendance state the class, and each participant with the latest name and role', async () => {
    const room = await classWith([
      { joinedAt: at(0), leftAt: at(10), name: 'Ada L.', role: 'STUDENT' },
      { joinedAt: at(30), leftAt: at(50), name: 'Ada Lovelace', role: 'TEACHER' },
      { joinedAt: at(5), leftAt: at(60), uid: 'bob', name: 'Bob' },
    ]);
    const report = await attendanceOf(room, 'finished');
    expect(report).toMatchObject({ status: 'finished', state: 'finished', classDuration: 3_600, totalParticipants: 2 });
    expect(report.participants).toEqual([
      {
        uid: 'ada',
        name: 'Ada Lovelace',
        role: 'TEACHER',
        firstJoinedAt: at(0),
        lastLeftAt: at(50),
        duration: 1_800,
        percentOfClass: 50,
        sessionCount: 2,
        isPresent: false,
      },
      expect.objectContaining({ uid: 'bob', duration: 3_300, percentOfClass: 91.7, sessionCount: 1 }),
    ]);
    expect(await attendanceOf(room, 'live')).toMatchObject({ status: 'live', state: 'live' });
  });

  it('of sessions continue on the next page where the page before ended', async () => {
    const stays = Array.from({ length: 5 }, (_, n) => ({ joinedAt: at(n * 10), leftAt: at(n * 10 + 5) }));
    const { organizationId, roomId } = await classWith(stays);
    const sessions = new ParticipantSessions(new ReportsRepository(fixture.database), fixture.clock);
    const pages = [1, 2, 3].map((page) =>
      sessions.getParticipantSessions({ organizationId, uid: 'ada', roomId, startDate: '2026-03-02', page, limit: 2 }),
    );
    const answers = await Promise.all(pages);
    const joins = answers.map((answer) => ('sessions' in answer ? answer.sessions.map(({ joinedAt }) => joinedAt) : []));
    expect(joins).toEqual([[at(40), at(30)], [at(20), at(10)], [at(0)]]);
    expect(answers.map(({ pagination }) => pagination.hasMore)).toEqual([true, true, false]);
    expect(answers[0]?.summary).toMatchObject({ totalSessions: 5, totalDuration: 1_500, totalCredits: 25, roomsAttended: 1 });
  });
});
