import type { RecordingCopyShown } from '@classroom/contracts';
import type { RecordingCopyEntity } from '../schema/recording-copy.entity.js';

/** The copy as callers see it; null if there is none. */
export const toCopy = (row: RecordingCopyEntity | undefined): RecordingCopyShown | null =>
  row ? { status: row.status, copiedAt: row.copiedAt?.toISOString() ?? null, key: row.objectKey, error: row.error } : null;
