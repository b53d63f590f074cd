import { mediaTypeOf } from '../recordings/media-type.js';
import { startedAtOf } from '../recordings/recording-times.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

const MAX_CHARACTERS = 80;

/** The name under which a browser saves the file: `Algebra I 2026-09-01 10-30.mp4`, in UTC, without characters that file systems reject. */
export function fileNameOf(recording: Pick<RecordingEntity, 'title' | 'activeAt' | 'requestedAt' | 'options'>): string {
  const title = [
    ...recording.title
      .replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/^[.\s]+/, '')
    .replace(/(?<![.\s])[.\s]+$/, '');
  const at = startedAtOf(recording).toISOString();
  return `${title || 'Recording'} ${at.slice(0, 10)} ${at.slice(11, 16).replace(':', '-')}.${mediaTypeOf(recording).extension}`;
}
