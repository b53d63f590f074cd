import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, recordingOptions } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import { StartRecording } from '../control/start-recording.js';
import { RoomsRepository, type WantedRoom } from '../rooms/rooms.repository.js';

const EVERY_MS = 1_000;
const BATCH = 20;
/** No recorder was free, or the class is not live yet: asked again. */
const AGAIN_MS = 5_000;

/** `settings.autoRecord`: a class records itself from its first publisher on, once. Who stops it has stopped it. */
@Injectable()
export class AutoRecord {
  @InBackground() private readonly loop = new Loop('auto-record', EVERY_MS, () => this.run());

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly startRecording: StartRecording,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** A participant publishes in LiveKit's room of this name, whose creation may not be known yet. */
  async publishing(sid: string): Promise<void> {
    await this.rooms.publishing(sid, this.clock.wall());
  }

  private async run(): Promise<void> {
    const now = this.clock.wall();
    const rooms = await this.rooms.claimWanted(now, new Date(now.getTime() + AGAIN_MS), BATCH);
    for (const room of rooms) await this.start(room);
  }

  private async start({ sid, organizationId, roomId }: WantedRoom): Promise<void> {
    try {
      const { branding } = await this.rpc.call(getOrganization, { organizationId });
      await this.startRecording.execute({ organizationId, roomId, options: recordingOptions.parse({}), logoUrl: branding.logoUrl ?? null });
    } catch (error) {
      // Another start was quicker: it is recorded.
      if (!(error instanceof AppError) || error.code !== 'RECORDING_IN_PROGRESS') {
        logger.warn({ err: error, sid }, 'a class that shall record itself does not yet');
        return;
      }
    }
    await this.rooms.recorded(sid, this.clock.wall());
  }
}
