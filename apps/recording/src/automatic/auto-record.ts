import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, recordingOptions } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import { StartRecording } from '../control/start-recording.js';

const EVERY_MS = 1_000;
const BATCH = 20;
/** No recorder was free, or the class is not live yet: asked again. */
const AGAIN_MS = 5_000;

interface WantedRoom {
  sid: string;
  organizationId: string;
  roomId: string;
}

/** `settings.autoRecord`: a class records itself from its first publisher on, once. Who stops it has stopped it. */
@Injectable()
export class AutoRecord {
  @InBackground() private readonly loop = new Loop('auto-record', EVERY_MS, () => this.run());

  constructor(
    private readonly database: Database,
    private readonly startRecording: StartRecording,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** Somebody publishes in LiveKit's room of this name, which may be heard of before its creation is. */
  async publishing(sid: string): Promise<void> {
    await this.database.prepared(
      'publishing',
      `INSERT INTO rooms (sid, publishing_at) VALUES ($1, $2)
       ON CONFLICT (sid) DO UPDATE SET publishing_at = $2,
              auto_wanted_at = CASE WHEN rooms.auto_record AND rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN $2 END
         WHERE rooms.publishing_at IS NULL`,
      [sid, this.clock.wall()],
    );
  }

  private async run(): Promise<void> {
    const now = this.clock.wall();
    const rooms = await this.database.query<WantedRoom & Record<string, unknown>>(
      `UPDATE rooms SET auto_wanted_at = $2
        WHERE sid IN (SELECT sid FROM rooms WHERE auto_wanted_at <= $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING sid, organization_id AS "organizationId", room_id AS "roomId"`,
      [now, new Date(now.getTime() + AGAIN_MS)],
    );
    for (const room of rooms) await this.start(room);
  }

  private async start({ sid, organizationId, roomId }: WantedRoom): Promise<void> {
    try {
      const { branding } = await this.rpc.call(getOrganization, { organizationId });
      await this.startRecording.execute({ organizationId, roomId, options: recordingOptions.parse({}), logoUrl: branding.logoUrl ?? null });
    } catch (error) {
      // Somebody was quicker: it is recorded.
      if (!(error instanceof AppError) || error.code !== 'RECORDING_IN_PROGRESS') {
        logger.warn({ err: error, sid }, 'a class that shall record itself does not yet');
        return;
      }
    }
    await this.database.query('UPDATE rooms SET auto_recorded_at = $2, auto_wanted_at = NULL WHERE sid = $1', [sid, this.clock.wall()]);
  }
}
