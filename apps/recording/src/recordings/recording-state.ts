import type { RecordingEntity } from '../schema/recording.entity.js';

/** Made of other recordings after the class: the class's end does not stop it. */
export const isMerged = ({ mergedFrom }: Pick<RecordingEntity, 'mergedFrom'>) => mergedFrom.length > 0;

/** Whether it records the class. */
export const isRunning = ({ status, mergedFrom }: Pick<RecordingEntity, 'status' | 'mergedFrom'>) =>
  (status === 'STARTING' || status === 'ACTIVE') && !isMerged({ mergedFrom });

const ENDED_STATUSES = new Set<RecordingEntity['status']>(['COMPLETED', 'FAILED', 'ABORTED', 'REFUSED']);

/**
 * Whether its files are deleted next; nothing keeps them any longer. A recording that is still being finalized is not due: when it is completed,
 * its file is kept for at least an hour.
 */
export const isDue = ({ status, deleteAt, heldAt }: Pick<RecordingEntity, 'status' | 'deleteAt' | 'heldAt'>, now: Date) =>
  ENDED_STATUSES.has(status) && heldAt === null && deleteAt !== null && deleteAt <= now;

/** Whether its files are deleted, or are deleted next. */
export const isExpired = (recording: Pick<RecordingEntity, 'status' | 'deleteAt' | 'heldAt' | 'deletedAt'>, now: Date) =>
  recording.deletedAt !== null || isDue(recording, now);
