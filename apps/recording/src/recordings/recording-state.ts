import type { RecordingEntity } from '../schema/recording.entity.js';

/** Made of other recordings after the class: the class's end does not stop it. */
export const isMerged = ({ mergedFrom }: Pick<RecordingEntity, 'mergedFrom'>) => mergedFrom.length > 0;

/** Whether it records the class. */
export const isRunning = ({ status, mergedFrom }: Pick<RecordingEntity, 'status' | 'mergedFrom'>) =>
  (status === 'STARTING' || status === 'ACTIVE') && !isMerged({ mergedFrom });
