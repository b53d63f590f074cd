import { randomUUID } from 'node:crypto';
import {
  createPoll,
  deleteRoom,
  engagementRpc,
  explainQuality,
  raiseHand,
  reportMinutes,
  sendChatMessage,
  sendReaction,
  votePoll,
  type MeasuredMinute,
} from '@classroom/contracts';
import type { ClassMember } from '../support/class-member.js';
import { refusal, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const MINUTE_MS = 60_000;

/** Moves the joins of a class into the past, as if it had begun then. */
const begunMinutesAgo = (sid: string, minutes: number) => fixture.age(sid, minutes * 60, 'connections_by_month.joined_at');

/** A minute as the member's page reports it, `ago` minutes before now. */
const minuteOf = (member: ClassMember, ago: number, measured: Partial<MeasuredMinute> = {}): MeasuredMinute => ({
  connectionSid: member.connectionSid,
  startedAt: new Date(Date.now() - ago * MINUTE_MS).toISOString(),
  measuredMs: MINUTE_MS,
  talkMs: 0,
  cameraMs: 0,
  ...measured,
});
const report = async (member: ClassMember, ...minutes: MeasuredMinute[]) => (await member.act(reportMinutes, { minutes })).stored;
const engagementOf = async (roomId: string) => {
  const { participants } = await fixture.asBackend(engagementRpc.page, { roomId, limit: 200 });
  return Object.fromEntries(participants.map((one) => [one.uid, one]));
};
const qualityOf = (roomId: string, uid: string) => fixture.asBackend(explainQuality, { roomId, uid });

describe('engagement', () => {
  it('counts what participants did, from the service’s own records', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, ada, bob] = people;
    for (const raised of [true, true, false, true]) await ada.act(raiseHand, { raised });
    for (const text of ['One', 'Two']) await ada.act(sendChatMessage, { text });
    for (const emoji of ['👍', '👏', '👍'] as const) await ada.act(sendReaction, { emoji });
    for (const question of ['Ready?', 'Again?']) {
      const { pollId } = await teacher.act(createPoll, { question, options: ['Yes', 'No'] });
      await ada.act(votePoll, { pollId, option: 0 });
    }
    await fixture.join(room, 'absent');
    const { [ada.uid]: active, [bob.uid]: silent, absent } = await engagementOf(room.roomId);
    expect(active).toMatchObject({ handsRaised: 2, chatMessages: 2, reactions: 3, pollAnswers: 2, connections: 1 });
    expect(silent).toMatchObject({
      handsRaised: 0,
      chatMessages: 0,
      reactions: 0,
      pollAnswers: 0,
      connections: 1,
      talkSeconds: null,
      cameraSeconds: null,
    });
    expect(absent).toMatchObject({ connections: 0, connectedSeconds: 0, measuredSeconds: 0, talkSeconds: null });
  });

  it('sums what the pages measured, each minute once', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [, ada] = people;
    await begunMinutesAgo(room.sid, 10);
    const first = minuteOf(ada, 3, { talkMs: 12_340, cameraMs: MINUTE_MS });
    const minutes = [first, minuteOf(ada, 2, { talkMs: 1_000 })];
    const stored = await Promise.all(Array.from({ length: 4 }, () => report(ada, ...minutes)));
    expect(stored.reduce((sum, one) => sum + one, 0)).toBe(2);
    // Not what was reported first.
    expect(await report(ada, { ...first, talkMs: 50_000 })).toBe(0);
    const { [ada.uid]: sums } = await engagementOf(room.roomId);
    expect(sums).toMatchObject({ talkSeconds: 13.3, cameraSeconds: 60, measuredSeconds: 120 });
    expect(sums?.connectedSeconds).toBeGreaterThanOrEqual(600);
  });

  it('believes a page no connection but its own, and no longer than that lasted', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, ada] = people;
    const foreign = { connectionSid: teacher.connectionSid };
    const invented = { connectionSid: 'PA_invented' };
    const early = { startedAt: '2020-01-01T00:00:00Z' };
    const late = { startedAt: new Date(Date.now() + 10 * MINUTE_MS).toISOString() };
    for (const claim of [foreign, invented, early, late]) expect(await report(ada, minuteOf(ada, 0, claim))).toBe(0);
    expect(await report(ada, minuteOf(ada, 0, { measuredMs: 1e15, talkMs: 1e15, cameraMs: 1e15 }))).toBe(1);
    const { [ada.uid]: sums, [teacher.uid]: others } = await engagementOf(room.roomId);
    expect(sums?.talkSeconds).toBeLessThanOrEqual(sums?.connectedSeconds ?? 0);
    expect(sums?.cameraSeconds).toBe(sums?.talkSeconds);
    expect(others?.talkSeconds).toBeNull();
  });

  it('has pages, also of participants who were replaced by pseudonyms', async () => {
    const { room } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    await fixture.stack.rows(`UPDATE room.participants SET uid = 'erased#00ff' WHERE sid = $1 AND uid = 'student-1'`, [room.sid]);
    const page = (cursor?: string) => fixture.asBackend(engagementRpc.page, { roomId: room.roomId, limit: 1, cursor });
    const uids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { participants, nextCursor } = await page(cursor);
      uids.push(...participants.map(({ uid }) => uid));
      cursor = nextCursor;
    }
    expect(uids.sort()).toEqual(['erased#00ff', 'student-2', 'teacher-0']);
    expect(await refusal(page('x'))).toBe('VALIDATION_FAILED cursor');
  });
});

describe('the quality of a class', () => {
  it('is explained by one call: verdict, causes, minutes', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [, ada] = people;
    await begunMinutesAgo(room.sid, 10);
    expect(await qualityOf(room.roomId, ada.uid)).toMatchObject({
      verdict: null,
      causes: [],
      mos: null,
      joinSeconds: null,
      minutes: [],
      connections: 1,
    });
    const received = {
      bytesReceived: 3_000_000,
      packetsReceived: 1_900,
      packetsLost: 100,
      jitterBufferDelay: 60,
      jitterBufferEmittedCount: 1_000,
    };
    const path = { totalRoundTripTime: 1, responsesReceived: 25 };
    await report(
      ada,
      minuteOf(ada, 5, { joinMs: 8_200, stats: { 'inbound-rtp': received, 'candidate-pair': path } }),
      minuteOf(ada, 4, { reconnections: 2, stats: { 'outbound-rtp': { bytesSent: 750_000, packetsSent: 100 } } }),
    );
    const quality = await qualityOf(room.roomId, ada.uid);
    expect(quality).toMatchObject({ uid: ada.uid, role: 'STUDENT', verdict: 'poor', mos: 3.1, measuredSeconds: 120, joinSeconds: 8.2 });
    expect(quality.minutes).toMatchObject([
      { lossPercent: 5, roundTripMs: 40, bufferMs: 60, receivedKbps: 400, sentKbps: 0, mos: 3.1 },
      { lossPercent: null, mos: null, sentKbps: 100, sentLossPercent: 0, reconnections: 2 },
    ]);
    expect(quality.causes.map(({ code }) => code)).toEqual(['SLOW_JOIN', 'LOSS_RECEIVED', 'RECONNECTED']);
    expect(quality.causes[2]?.text).toMatch(/^Connection lost 2 times from \d\d:\d\d to \d\d:\d\d$/);
  });

  it('also comes from a page whose session was replaced, and shortly after the class', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, ada] = people;
    await begunMinutesAgo(room.sid, 10);
    await fixture.member(room, ada.uid);
    expect(await report(ada, minuteOf(ada, 2))).toBe(1);
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    expect(await report(teacher, minuteOf(teacher, 0))).toBe(1);
    await fixture.age(room.sid, 360, 'rooms.ended_at');
    expect(await refusal(report(teacher, minuteOf(teacher, 1)))).toBe('ROOM_ENDED');
    expect((await qualityOf(room.roomId, teacher.uid)).measuredSeconds).toBe(60);
  });

  it('is of the organization’s own rooms and their participants', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [, ada] = people;
    expect(await refusal(qualityOf(room.roomId, 'unknown'))).toBe('PARTICIPANT_NOT_FOUND');
    const own = fixture.organizationId;
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await refusal(qualityOf(room.roomId, ada.uid))).toBe('ROOM_NOT_FOUND');
    expect(await refusal(engagementOf(room.roomId))).toBe('ROOM_NOT_FOUND');
    // A caller of another organization writes nothing into this one's rows.
    const stranger = { ...ada.caller, organizationId: fixture.organizationId };
    expect(await refusal(fixture.call(reportMinutes, { caller: stranger, minutes: [minuteOf(ada, 0)] }))).toBe('UNAUTHORIZED');
    fixture.organizationId = own;
    expect((await qualityOf(room.roomId, ada.uid)).minutes).toEqual([]);
  });
});
