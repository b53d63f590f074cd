import type { LocalTrack } from 'livekit-client';
import { createStoredStore } from '../store.js';

/** What this participant wants from camera and microphone, in each class that is joined from this browser. */
export const effects = createStoredStore('classroom.effects', { isBlurred: false, isNoiseSuppressed: true });

/** Whether the browser lets a page change the camera's picture. */
export const canBlur = typeof VideoFrame !== 'undefined' && typeof OffscreenCanvas !== 'undefined';

/** The background could not be blurred. */
export class BlurError extends Error {
  override name = 'BlurError';
}

/** Blurs what is behind the person, or shows it again. All of it happens in the browser. @throws {BlurError} */
export async function applyBlur(track: LocalTrack, isBlurred: boolean): Promise<void> {
  if (isBlurred === (track.getProcessor() !== undefined)) return;
  if (!isBlurred) return track.stopProcessor();
  try {
    const { startBlur } = await import('./blur.js');
    await startBlur(track);
  } catch (cause) {
    await track.stopProcessor().catch(() => undefined);
    throw new BlurError('The background cannot be blurred.', { cause });
  }
}
