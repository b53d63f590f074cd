import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';

export interface CaptionRow {
  language: string;
  label: string;
  isDefault: boolean;
}

@Injectable()
export class CaptionsRepository {
  constructor(private readonly database: Database) {}

  ofVideo(videoId: string): Promise<CaptionRow[]> {
    return this.database.prepared<CaptionRow & Record<string, unknown>>(
      'captions',
      'SELECT language, label, is_default AS "isDefault" FROM captions WHERE video_id = $1 ORDER BY language',
      [videoId],
    );
  }

  /** A track that becomes the default takes that from the others: a player begins with one. */
  async put(videoId: string, { language, label, isDefault }: CaptionRow): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (isDefault) await tx.query('UPDATE captions SET is_default = false WHERE video_id = $1', [videoId]);
      await tx.query(
        `INSERT INTO captions (video_id, language, label, is_default) VALUES ($1, $2, $3, $4)
         ON CONFLICT (video_id, language) DO UPDATE SET label = $3, is_default = $4`,
        [videoId, language, label, isDefault],
      );
    });
  }
}
