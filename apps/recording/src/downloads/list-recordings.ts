import { Injectable } from '@nestjs/common';
import { listRecordings, roomRpc, type RecordingStatus, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';
import { toCopy } from '../copies/to-copy.js';
import { durationOf, startedAtOf } from '../recordings/recording-times.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { recordingIdOf } from '../recordings/recording-id.js';

@Injectable()
export class ListRecordings {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly copies: CopiesRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(listRecordings)
  async execute({ organizationId, roomId }: RpcInput<typeof listRecordings>) {
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const rows = await this.recordings.listByRoom(sid);
    const copies = await this.copies.listOf(rows.map(({ recordingKey }) => recordingKey));
    return rows.map((row) => ({
      recordingId: recordingIdOf(row),
      roomId,
      // A row with a public id is past REQUESTED and was never refused.
      status: row.status as RecordingStatus,
      startedAt: startedAtOf(row).toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
      duration: durationOf(row, this.clock.wall()),
      copy: toCopy(copies.get(row.recordingKey)),
    }));
  }
}
