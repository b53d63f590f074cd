import type { Failure } from './failure.js';
import type { CaptionTrack, Quality } from './source.js';

export type Phase = 'loading' | 'ready' | 'playing' | 'paused' | 'ended' | 'failed';

export interface PlayerState {
  phase: Phase;
  failure: Failure | null;
  /** The player has waited for data for so long that it shows this. */
  isWaiting: boolean;
  /** The network or the server does not respond; the player retries. */
  isOffline: boolean;
  /** In seconds, like the next two. */
  time: number;
  duration: number;
  bufferedTo: number;
  volume: number;
  isMuted: boolean;
  rate: number;
  hasVideo: boolean;
  qualities: Quality[];
  /** The quality that the user chose; null if the player chooses. */
  quality: number | null;
  playing: number | null;
  captions: CaptionTrack[];
  caption: number | null;
  isPictureInPicture: boolean;
}

export const INITIAL: PlayerState = {
  phase: 'loading',
  failure: null,
  isWaiting: false,
  isOffline: false,
  time: 0,
  duration: 0,
  bufferedTo: 0,
  volume: 1,
  isMuted: false,
  rate: 1,
  hasVideo: true,
  qualities: [],
  quality: null,
  playing: null,
  captions: [],
  caption: null,
  isPictureInPicture: false,
};

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;
