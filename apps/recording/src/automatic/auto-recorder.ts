import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, recordingOptions } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, InBackground, inParallel, logger, Loop } from '@classroom/platform';
import { StartRecording } from '../control/start-recording.js';
import { RoomsRepository, type WantedRoom } from '../rooms/rooms.repository.js';

const INTERVAL_MS = 1_000;
const BATCH = 20;
/** Milliseconds until a start is tried again because no recorder was free or the class is not live yet. */
const RETRY_DELAY_MS = 5_000;

/**
 * `settings.autoRecord`: starts the recording of a class once, when the first participant publishes. A recording that was
 * stopped is not started again.
 */
@Injectable()
export class AutoRecorder {
  @InBackground() private readonly loop = new Loop('auto-record', INTERVAL_MS, () => this.run());

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly startRecording: StartRecording,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** A participant published in the LiveKit room `sid`. This service may not know the room's creation yet. */
  async handleTrackPublished(sid: string): Promise<void> {
    await this.rooms.markPublishing(sid, this.clock.wall());
  }

  private async run(): Promise<void> {
    const now = this.clock.wall();
    const rooms = await this.rooms.claimWanted(now, new Date(now.getTime() + RETRY_DELAY_MS), BATCH);
    // Together: a busy recorder takes seconds to refuse one, and at the full hour many classes begin.
    await inParallel(rooms, BATCH, (room) => this.start(room));
  }

  private async start({ sid, organizationId, roomId }: WantedRoom): Promise<void> {
    try {
      const { branding } = await this.rpc.call(getOrganization, { organizationId });
      await this.startRecording.execute({ organizationId, roomId, options: recordingOptions.parse({}), logoUrl: branding.logoUrl ?? null });
    } catch (error) {
      // RECORDING_IN_PROGRESS: another start was faster, so the class is being recorded.
      if (!(error instanceof AppError) || error.code !== 'RECORDING_IN_PROGRESS') {
        logger.warn({ err: error, sid }, 'automatic recording has not started; will retry');
        return;
      }
    }
    await this.rooms.markRecorded(sid, this.clock.wall());
  }
}
