import type { Source } from '../source/source.js';
import { ladderOf, type Rung } from './ladder.js';

export interface Variant {
  /** The name of the variant's folder. */
  name: string;
  picture: Rung | undefined;
  soundKbps: number | undefined;
}

export interface Plan {
  type: 'hls' | 'mp4';
  /** Whether the streams are copied unchanged into a new container. */
  isCopied: boolean;
  /** Lowest first; for an mp4 only one. */
  variants: Variant[];
}

const SOUND_KBPS = 128;
const LOW_SOUND_KBPS = 64;
/** Containers whose streams can be copied into an mp4 unchanged. */
const COPIED_FROM = ['mp4', 'matroska'];

export function planOf(source: Source, playback: 'hls' | 'mp4'): Plan {
  const all = variantsOf(source);
  if (playback === 'hls') return { type: 'hls', isCopied: false, variants: all };
  return { type: 'mp4', isCopied: playsInBrowsers(source), variants: all.slice(-1) };
}

function variantsOf({ picture, sound }: Source): Variant[] {
  if (!picture) return [LOW_SOUND_KBPS, SOUND_KBPS].map((soundKbps) => ({ name: `${soundKbps}k`, picture: undefined, soundKbps }));
  const soundKbps = sound && SOUND_KBPS;
  return ladderOf(picture.size, picture.frameRate.value).map((rung) => ({ name: rung.name, picture: rung, soundKbps }));
}

function playsInBrowsers({ formats, picture, sound }: Source): boolean {
  const isShown = !picture || (picture.codec === 'h264' && ['yuv420p', 'yuvj420p'].includes(picture.pixelFormat));
  const isHeard = !sound || (sound.codec === 'aac' && sound.channels <= 2);
  return isShown && isHeard && formats.some((format) => COPIED_FROM.includes(format));
}
