import { mediaTypeOf } from '../recordings/recording-file.js';
import { recordingIdOf, startedAtOf } from '../recordings/recording.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import type { Transferred } from './transfer-file.js';

/** Key of a recording's file in a bucket, without its extension. It is the same for every attempt. */
export const keyOf = (prefix: string, recording: Pick<RecordingEntity, 'roomId' | 'egressId'>) =>
  [prefix, recording.roomId, recordingIdOf(recording)].filter(Boolean).join('/');

/** What is stored next to the file, as JSON. */
export function sidecarOf(recording: RecordingEntity, key: string, { size, sha256 }: Transferred): Buffer {
  const { roomId, sid, title, fileName, duration, endedAt, completedAt } = recording;
  const { extension, contentType } = mediaTypeOf(recording);
  const metadata = {
    recordingId: recordingIdOf(recording),
    roomId,
    sid,
    title,
    key,
    filename: fileName ?? `recording.${extension}`,
    contentType,
    size,
    sha256,
    duration,
    startedAt: startedAtOf(recording).toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
  return Buffer.from(`${JSON.stringify(metadata, null, 2)}\n`);
}
