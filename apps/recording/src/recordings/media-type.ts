import type { RecordingEntity } from '../schema/recording.entity.js';

interface MediaType {
  extension: string;
  contentType: string;
}

const FILM: MediaType = { extension: 'mp4', contentType: 'video/mp4' };
const SOUND: MediaType = { extension: 'm4a', contentType: 'audio/mp4' };

/** A row of an earlier release has no `audioOnly`. */
export const isAudioOnly = ({ options }: Pick<RecordingEntity, 'options'>): boolean => options.audioOnly ?? false;

/** Of the file as people get it. Its object's key ends in `.mp4` in any case, because LiveKit Egress appends that to any other. */
export const mediaTypeOf = (recording: Pick<RecordingEntity, 'options'>): MediaType => (isAudioOnly(recording) ? SOUND : FILM);
