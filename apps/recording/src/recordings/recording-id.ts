import type { RecordingEntity } from '../schema/recording.entity.js';

/** The public id of a recording in lists. */
export const recordingIdOf = ({ egressId }: Pick<RecordingEntity, 'egressId'>) => `rec_${egressId}`;

/** The `egressId` of a public id; any other text is not the id of a recording. */
export const egressIdOf = (recordingId: string) => recordingId.replace(/^rec_/, '');
