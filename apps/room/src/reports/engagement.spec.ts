import type { CountedEngagement } from '@classroom/contracts';
import { EngagementSummary } from './engagement.js';

const SILENT: CountedEngagement = {
  uid: 'ada',
  name: 'Ada',
  role: 'STUDENT',
  connections: 1,
  connectedSeconds: 0.1,
  measuredSeconds: 0,
  talkSeconds: null,
  cameraSeconds: null,
  handsRaised: 1,
  chatMessages: 2,
  reactions: 3,
  boardElements: 4,
  pollAnswers: 4,
};
const summaryOf = (...pages: CountedEngagement[][]) => {
  const summary = new EngagementSummary();
  for (const page of pages) summary.add(page);
  return summary.result;
};
const many = (count: number, more: Partial<CountedEngagement> = {}) =>
  Array.from({ length: count }, (_, n) => ({ ...SILENT, uid: `uid-${n}`, ...more }));

describe('the summary of a class', () => {
  it('sums what participants did; what no page measured is null', () => {
    const measured = { ...SILENT, uid: 'bob', connectedSeconds: 0.2, measuredSeconds: 0.2, talkSeconds: 0.1, cameraSeconds: 0 };
    const absent = {
      ...SILENT,
      uid: 'cy',
      connections: 0,
      connectedSeconds: 0,
      handsRaised: 0,
      chatMessages: 0,
      reactions: 0,
      boardElements: 0,
      pollAnswers: 0,
    };
    expect(summaryOf([SILENT, measured], [absent])).toEqual({
      totals: {
        participants: 2,
        connections: 2,
        connectedSeconds: 0.3,
        measuredSeconds: 0.2,
        talkSeconds: 0.1,
        cameraSeconds: 0,
        handsRaised: 2,
        chatMessages: 4,
        reactions: 6,
        boardElements: 8,
        pollAnswers: 8,
      },
      participants: [SILENT, measured, absent],
      furtherParticipants: 0,
    });
    expect(summaryOf([SILENT]).totals).toMatchObject({ talkSeconds: null, cameraSeconds: null });
  });

  it('names 200 participants at most, fewer if their names are long, and counts the others', () => {
    const large = summaryOf(many(200), many(200), many(1));
    expect([large.participants.length, large.furtherParticipants, large.totals.participants]).toEqual([200, 201, 401]);
    const long = summaryOf(many(200, { name: '學'.repeat(256) }));
    expect(Buffer.byteLength(JSON.stringify(long.participants))).toBeLessThanOrEqual(128 * 1024);
    expect([long.participants.length + long.furtherParticipants, long.totals.participants]).toEqual([200, 200]);
    expect(long.participants.length).toBeGreaterThan(100);
  });
});
