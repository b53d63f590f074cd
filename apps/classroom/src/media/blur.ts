import { BackgroundProcessor } from '@livekit/track-processors';
import type { LocalTrack, Track, TrackProcessor } from 'livekit-client';
import model from './vision/selfie_segmentation.tflite?url';

/** The folder of MediaPipe's program, which the build copies. */
declare const VISION_FOLDER: string;
/** Pixels, at which rooms and posters are not recognized. */
const RADIUS = 12;
/** How long the first blurred picture may take, in milliseconds. A slow computer needs seconds. */
const FIRST_PICTURE_TIMEOUT_MS = 60_000;

/**
 * Blurs what is behind the person. Loaded when it is needed, because few participants blur their background.
 * @returns after the first blurred picture: the processor passes one picture on before, unchanged. @throws if there is none in time
 */
export function startBlur(track: LocalTrack): Promise<void> {
  const assetPaths = { tasksVisionFileSet: VISION_FOLDER, modelAssetPath: model };
  return new Promise<void>((resolve, reject) => {
    const processor = BackgroundProcessor({ mode: 'background-blur', blurRadius: RADIUS, assetPaths, onFrameProcessed: () => resolve() });
    setTimeout(() => reject(new Error('There was no blurred picture in time.')), FIRST_PICTURE_TIMEOUT_MS);
    track.setProcessor(processor as TrackProcessor<Track.Kind>).catch(reject);
  });
}
