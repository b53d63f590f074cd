import { Injectable } from '@nestjs/common';
import { roomRpc } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, InBackground, logger, Loop, observedGauge } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { ApplyClassEnd } from '../control/rooms.consumer.js';
import { recordingKeyIn, ROOT } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import type { OwnedRoom } from '../recordings/rooms.repository.js';
import { LateFile } from '../retention/delete-files.js';

const INTERVAL_MS = 3_600_000;
const PAGE = 500;
/** Milliseconds for which objects without a row are left alone, because a start may still be in progress. */
const ORPHAN_GRACE_MS = 24 * 3_600_000;

/** Lists the bucket to verify that no object outlives its time, and deletes those that do. */
@Injectable()
export class BucketAudit {
  @InBackground() private readonly loop = new Loop('bucket-audit', INTERVAL_MS, () => this.run().then(() => undefined));
  private overdue = 0;

  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly storage: ObjectStorage,
    private readonly lateFile: LateFile,
    private readonly rpc: RpcClient,
    private readonly applyClassEnd: ApplyClassEnd,
    private readonly clock: Clock,
  ) {
    observedGauge('classroom_recording_overdue_objects', 'Objects found past their time at the last audit', () => [
      { value: this.overdue },
    ]);
  }

  /** Deletes the objects that have outlived their time, and returns their number. @throws AppError SERVICE_UNAVAILABLE */
  async run(): Promise<number> {
    await this.applyMissingClassEnds();
    const prefixes = new Map<string, number>();
    for await (const { key, lastModified } of this.storage.list(ROOT)) {
      const prefix = key.split('/').slice(0, 4).join('/');
      prefixes.set(`${prefix}/`, Math.max(prefixes.get(`${prefix}/`) ?? 0, lastModified.getTime()));
    }
    let overdue = 0;
    for (const [prefix, newest] of prefixes) {
      if (!(await this.isOverdue(prefix, newest))) continue;
      overdue += await this.storage.deletePrefix(prefix);
    }
    this.overdue = overdue;
    if (overdue > 0) logger.warn({ overdue }, 'deleting recording objects past their retention');
    return overdue;
  }

  private async isOverdue(prefix: string, newest: number): Promise<boolean> {
    const key = recordingKeyIn(prefix);
    const row = key === undefined ? null : await this.recordings.find(key);
    if (row) return row.deletedAt !== null && !(await this.lateFile.accept(row));
    return this.clock.wall().getTime() - newest > ORPHAN_GRACE_MS;
  }

  /** Asks the room service for missing ends of classes: without its end a class would keep its files permanently. */
  private async applyMissingClassEnds(): Promise<void> {
    for (let after = ''; ;) {
      const rooms = await this.recordings.findWithoutClassEnd(after, PAGE);
      for (const room of rooms) {
        await this.applyMissingClassEnd(room).catch((error: unknown) =>
          logger.warn({ err: error, sid: room.sid }, 'could not ask for the end of a class; the next audit asks again'),
        );
      }
      const last = rooms.at(-1);
      if (!last || rooms.length < PAGE) return;
      after = last.sid;
    }
  }

  private async applyMissingClassEnd(room: OwnedRoom): Promise<void> {
    const { endedAt } = await this.rpc.call(roomRpc.describe, room);
    if (endedAt) await this.applyClassEnd.execute({ ...room, endedAt });
  }
}
