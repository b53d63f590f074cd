import {
  MAX_SUMMARIZED,
  type CountedEngagement,
  type EngagementTotals,
  type EventData,
  type engagementSummarized,
} from '@classroom/contracts';
import { fitMessage } from '@classroom/messaging';
import { tenths } from './tenths.js';

/** Bytes of the participants at most, as JSON: what a webhook's receiver may be expected to accept. */
const PARTICIPANTS_BYTES = 128 * 1024;

const NOTHING: EngagementTotals = {
  participants: 0,
  connections: 0,
  connectedSeconds: 0,
  measuredSeconds: 0,
  talkSeconds: null,
  cameraSeconds: null,
  handsRaised: 0,
  chatMessages: 0,
  reactions: 0,
  pollAnswers: 0,
};

const sumOf = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : tenths(a + b));

/** Sums over participants who are added one page after another, and the first of them. */
export class EngagementSummary {
  private totals = NOTHING;
  private count = 0;
  private first: CountedEngagement[] = [];

  add(page: readonly CountedEngagement[]): void {
    this.count += page.length;
    this.first = [...this.first, ...page].slice(0, MAX_SUMMARIZED);
    for (const one of page) {
      const { totals } = this;
      this.totals = {
        participants: totals.participants + (one.connections > 0 ? 1 : 0),
        connections: totals.connections + one.connections,
        connectedSeconds: tenths(totals.connectedSeconds + one.connectedSeconds),
        measuredSeconds: tenths(totals.measuredSeconds + one.measuredSeconds),
        talkSeconds: sumOf(totals.talkSeconds, one.talkSeconds),
        cameraSeconds: sumOf(totals.cameraSeconds, one.cameraSeconds),
        handsRaised: totals.handsRaised + one.handsRaised,
        chatMessages: totals.chatMessages + one.chatMessages,
        reactions: totals.reactions + one.reactions,
        pollAnswers: totals.pollAnswers + one.pollAnswers,
      };
    }
  }

  get result(): Pick<EventData<typeof engagementSummarized>, 'totals' | 'participants' | 'furtherParticipants'> {
    const participants = fitMessage(this.first, PARTICIPANTS_BYTES);
    return { totals: this.totals, participants, furtherParticipants: this.count - participants.length };
  }
}
