import type { RecordingEntity } from '../schema/recording.entity.js';

/** The public id of a recording in lists. */
export const recordingIdOf = ({ egressId }: Pick<RecordingEntity, 'egressId'>) => `rec_${egressId}`;
