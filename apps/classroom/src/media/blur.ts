import { BackgroundProcessor } from '@livekit/track-processors';
import type { Track, TrackProcessor } from 'livekit-client';
import model from './vision/selfie_segmentation.tflite?url';

/** The folder of MediaPipe's program, which the build copies. */
declare const VISION_FOLDER: string;
/** Pixels, at which rooms and posters are not recognized. */
const RADIUS = 12;

/** Loaded when it is needed, because few participants blur their background. */
export function createBlur(): TrackProcessor<Track.Kind> {
  const assetPaths = { tasksVisionFileSet: VISION_FOLDER, modelAssetPath: model };
  return BackgroundProcessor({ mode: 'background-blur', blurRadius: RADIUS, assetPaths }) as TrackProcessor<Track.Kind>;
}
