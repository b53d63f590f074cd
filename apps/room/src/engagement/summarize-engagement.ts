import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { EngagementRepository } from './engagement.repository.js';
import { EngagementSummary } from './engagement-summary.js';
import { toEngagement } from './to-engagement.js';

/** Participants read at once. */
const PAGE = 200;

/** How everyone took part in a class, in an event's size. */
@Injectable()
export class SummarizeEngagement {
  constructor(
    private readonly engagement: EngagementRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  async execute(tx: Transaction, sid: string): Promise<EngagementSummary['result']> {
    const summary = new EngagementSummary();
    for (let after = ''; ;) {
      const rows = await this.engagement.page(sid, after, this.livekitClock.seconds(), PAGE, tx);
      summary.add(rows.map(toEngagement));
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return summary.result;
      after = last.uid;
    }
  }
}
