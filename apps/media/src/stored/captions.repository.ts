import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { CaptionEntity } from '../schema/caption.entity.js';
import { sql } from '../schema/sql.js';

const ofVideo = sql(
  'captions.ofVideo',
  `SELECT ${columnsOf(CaptionEntity, { except: ['videoId', 'size'] })} FROM captions WHERE video_id = $1 ORDER BY language`,
);

const put = sql(
  'captions.put',
  `INSERT INTO captions (video_id, language, label, is_default, size) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (video_id, language) DO UPDATE SET label = $3, is_default = $4, size = $5`,
);

export type Caption = RowOf<typeof ofVideo>;

@Injectable()
export class CaptionsRepository {
  constructor(private readonly database: Database) {}

  ofVideo(videoId: string): Promise<Caption[]> {
    return this.database.run(ofVideo, videoId);
  }

  /** Inserts or replaces a track. A new default clears the flag of the other tracks, because a player starts with one track. */
  async put(tx: Transaction, videoId: string, { language, label, isDefault }: Caption, size: number): Promise<void> {
    if (isDefault) await tx.manager.update(CaptionEntity, { videoId }, { isDefault: false });
    await tx.run(put, videoId, language, label, isDefault, size);
  }
}
