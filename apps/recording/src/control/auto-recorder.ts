import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, recordingOptions } from '@classroom/contracts';
import { DueWorks, RpcClient, type DueWork } from '@classroom/messaging';
import { Clock, InBackground } from '@classroom/platform';
import { RoomsRepository, type WantedRoom } from '../recordings/rooms.repository.js';
import { StartRecording } from './start-recording.js';

/** Many: a busy recorder takes seconds to refuse one start, and at the full hour many classes begin. */
const PARALLEL = 20;
/** Milliseconds until a start is tried again because no recorder was free or the class is not live yet. */
const RETRY_DELAY_MS = 5_000;

/**
 * `settings.autoRecord`: starts the recording of a class once, when the first participant publishes. A recording that was
 * stopped is not started again.
 */
@Injectable()
export class AutoRecorder {
  @InBackground() private readonly work: DueWork<WantedRoom>;

  constructor(
    dueWorks: DueWorks,
    private readonly rooms: RoomsRepository,
    private readonly startRecording: StartRecording,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<WantedRoom>({
      name: 'auto-record',
      isByWallTime: true,
      keyOf: ({ sid }) => sid,
      claim: (now, limit) => rooms.claimWanted(now, new Date(now.getTime() + RETRY_DELAY_MS), limit),
      run: (room) => this.start(room),
      parallel: PARALLEL,
    });
  }

  /** A participant published in the LiveKit room `sid`. This service may not know the room's creation yet. */
  async handleTrackPublished(sid: string): Promise<void> {
    await this.rooms.markPublishing(sid, this.clock.wall());
  }

  private async start({ sid, organizationId, roomId }: WantedRoom): Promise<void> {
    try {
      const { branding } = await this.rpc.call(getOrganization, { organizationId });
      await this.startRecording.execute({ organizationId, roomId, options: recordingOptions.parse({}), logoUrl: branding.logoUrl ?? null });
    } catch (error) {
      // Another start was faster, so the class is being recorded.
      if (!(error instanceof AppError) || error.code !== 'RECORDING_IN_PROGRESS') throw error;
    }
    await this.rooms.markRecorded(sid, this.clock.wall());
  }
}
