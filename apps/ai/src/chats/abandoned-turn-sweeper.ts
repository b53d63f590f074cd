import { Injectable } from '@nestjs/common';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, InBackground } from '@classroom/platform';
import { Providers } from '../providers/providers.js';
import { CallLog } from '../usage/call-log.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { ChatsRepository } from './chats.repository.js';

const INTERVAL_MS = 10_000;

type AbandonedChat = Awaited<ReturnType<ChatsRepository['abandoned']>>[number];

/** Ends the turns of processes that died, so that a student's question does not stay open until the student asks the next one. */
@Injectable()
export class AbandonedTurnSweeper {
  @InBackground() private readonly work: DueWork<AbandonedChat>;

  constructor(
    dueWorks: DueWorks,
    private readonly database: Database,
    private readonly chats: ChatsRepository,
    private readonly providers: Providers,
    private readonly usage: UsageRepository,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<AbandonedChat>({
      name: 'abandoned-turns',
      isByWallTime: true,
      intervalMs: INTERVAL_MS,
      keyOf: ({ chatKey }) => chatKey,
      find: (now, limit) => chats.abandoned(now, limit),
      run: (chat) => this.close(chat),
      parallel: 4,
    });
  }

  private async close({ chatKey, organizationId, kind, sid, studentUid }: AbandonedChat): Promise<void> {
    const ai = await this.providers.forOrganization(organizationId);
    await this.database.transaction(async (tx) => {
      if (!(await this.chats.releaseExpiredLease(tx, chatKey, this.clock.wall()))) return;
      const log = new CallLog(ai, { organizationId, kind, sid, studentUid: sid && studentUid, chatKey, turnId: null }, this.clock);
      for (const { turnId, question } of await this.chats.closeAbandonedTurns(tx, chatKey, this.clock.now()))
        log.addAbandoned(turnId, { turns: [], question });
      await this.usage.add(tx, log.entries);
    });
  }
}
