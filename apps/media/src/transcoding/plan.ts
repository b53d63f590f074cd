import type { Source } from './source.js';
import { ladderOf, type Rung } from './ladder.js';

export interface Variant {
  /** The name of the variant's folder. */
  name: string;
  video: Rung | undefined;
  audioKbps: number | undefined;
}

export interface Plan {
  type: 'hls' | 'mp4';
  /** Whether the streams are copied unchanged into a new container. */
  isRemuxed: boolean;
  /** Lowest first; for an mp4 only one. */
  variants: Variant[];
}

const AUDIO_KBPS = 128;
const LOW_AUDIO_KBPS = 64;
/** Containers whose streams can be copied into an mp4 unchanged. */
const REMUXABLE_FORMATS = ['mp4', 'matroska'];

export function planOf(source: Source, playback: 'hls' | 'mp4'): Plan {
  const all = variantsOf(source);
  if (playback === 'hls') return { type: 'hls', isRemuxed: false, variants: all };
  return { type: 'mp4', isRemuxed: playsInBrowsers(source), variants: all.slice(-1) };
}

function variantsOf({ video, audio }: Source): Variant[] {
  if (!video) return [LOW_AUDIO_KBPS, AUDIO_KBPS].map((audioKbps) => ({ name: `${audioKbps}k`, video: undefined, audioKbps }));
  const audioKbps = audio && AUDIO_KBPS;
  return ladderOf(video.size, video.frameRate.value).map((rung) => ({ name: rung.name, video: rung, audioKbps }));
}

function playsInBrowsers({ formats, video, audio }: Source): boolean {
  const isVideoPlayable = !video || (video.codec === 'h264' && ['yuv420p', 'yuvj420p'].includes(video.pixelFormat));
  const isAudioPlayable = !audio || (audio.codec === 'aac' && audio.channels <= 2);
  return isVideoPlayable && isAudioPlayable && formats.some((format) => REMUXABLE_FORMATS.includes(format));
}
