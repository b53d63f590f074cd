import { createContext, use } from 'react';
import { Store, useStore } from '../store.js';
import type { Failure } from './failure.js';
import { isPlaylist, type Link } from './link.js';
import { hasMediaSource, type CaptionTrack, type Quality, type Source, type SourceListener } from './source.js';
import { bufferedEnd, type Texts } from './texts.js';

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

const INITIAL: PlayerState = {
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

/** How long the player waits for data before it shows so, in milliseconds. */
const WAITING_DELAY_MS = 1_000;

/** A video element with its source and their state. */
export class Player {
  readonly video = document.createElement('video');
  readonly store = new Store<PlayerState>(INITIAL);
  private source: Source | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private isPlayRequested = false;

  constructor(private readonly link: Link) {
    const { video } = this;
    video.playsInline = true;
    if (link.poster) video.poster = link.poster;
    this.listenToVideo();
  }

  async load(): Promise<void> {
    const { src } = this.link;
    if (!src) return this.fail('no-link');
    this.source?.close();
    this.store.set({ ...INITIAL, volume: this.video.volume, isMuted: this.video.muted });
    this.startWaiting();
    try {
      const open =
        isPlaylist(src) && hasMediaSource() ? (await import('./hls-source.js')).openHls : (await import('./native-source.js')).openNative;
      this.source = await open(this.video, src, this.sourceListener);
      if (this.isPlayRequested) this.source.startBuffering();
    } catch {
      this.fail('failed');
    }
  }

  play(): void {
    this.isPlayRequested = true;
    this.source?.startBuffering();
    // The browser refuses only if it requires a user gesture first. The play button is shown for that.
    this.video.play().catch(() => undefined);
  }

  toggle(): void {
    if (this.video.paused || this.video.ended) this.play();
    else this.video.pause();
  }

  seek(time: number): void {
    const { duration } = this.video;
    if (!Number.isFinite(duration)) return;
    this.video.currentTime = Math.min(Math.max(time, 0), duration);
    this.store.set({ time: this.video.currentTime });
  }

  seekBy(seconds: number): void {
    this.seek(this.video.currentTime + seconds);
  }

  setVolume(volume: number): void {
    this.video.volume = Math.min(Math.max(volume, 0), 1);
    this.video.muted = this.video.volume === 0;
  }

  toggleMute(): void {
    const { video } = this;
    video.muted = !video.muted;
    if (!video.muted && video.volume === 0) video.volume = 0.5;
  }

  setRate(rate: number): void {
    this.video.defaultPlaybackRate = rate;
    this.video.playbackRate = rate;
  }

  /** Selects the next higher or lower speed. */
  stepRate(by: 1 | -1): void {
    const candidates = RATES.filter((rate) => (by > 0 ? rate > this.video.playbackRate : rate < this.video.playbackRate));
    this.setRate((by > 0 ? candidates[0] : candidates.at(-1)) ?? this.video.playbackRate);
  }

  setQuality(quality: number | null): void {
    this.source?.setQuality(quality);
    this.store.set({ quality });
  }

  showCaption(id: number | null): void {
    this.source?.showCaption(id);
  }

  /** Turns captions off, or the first track on. */
  toggleCaptions(): void {
    const { captions, caption } = this.store.get();
    if (captions.length > 0) this.showCaption(caption === null ? (captions[0]?.id ?? null) : null);
  }

  togglePictureInPicture(): void {
    if (document.pictureInPictureElement) void document.exitPictureInPicture();
    else this.video.requestPictureInPicture().catch(() => undefined);
  }

  private readonly sourceListener: SourceListener = {
    onQualities: (qualities) => this.store.set({ qualities }),
    onQualityPlaying: (playing) => this.store.set({ playing }),
    onCaptions: (captions, caption) => this.store.set({ captions, caption }),
    onConnectionLost: (isOffline) => this.store.set({ isOffline }),
    onFailed: (failure) => this.fail(failure),
  };

  private fail(failure: Failure): void {
    this.source?.close();
    this.source = undefined;
    this.stopWaiting();
    this.store.set({ phase: 'failed', failure, isOffline: false });
  }

  private listenToVideo(): void {
    const { video, store } = this;
    const on = (names: string, listener: () => void) => names.split(' ').forEach((name) => video.addEventListener(name, listener));
    on('loadedmetadata durationchange', () => store.set({ duration: Number.isFinite(video.duration) ? video.duration : 0 }));
    on('loadeddata resize', () => store.set({ hasVideo: video.videoWidth > 0 }));
    on('loadeddata', () => store.get().phase === 'loading' && store.set({ phase: video.paused ? 'ready' : 'playing' }));
    on('timeupdate seeked progress', () => {
      const { currentTime: time } = video;
      store.set({ time, bufferedTo: bufferedEnd(video.buffered, time) });
    });
    on('play', () => store.set({ phase: 'playing' }));
    // The video also pauses when its source is removed.
    on('pause', () => !video.ended && store.get().phase === 'playing' && store.set({ phase: 'paused' }));
    on('ended', () => store.set({ phase: 'ended' }));
    on('seeking', () => store.get().phase === 'ended' && store.set({ phase: video.paused ? 'paused' : 'playing' }));
    on('waiting seeking', () => this.startWaiting());
    on('playing canplay seeked loadeddata ended', () => this.stopWaiting());
    on('volumechange', () => store.set({ volume: video.volume, isMuted: video.muted }));
    on('ratechange', () => store.set({ rate: video.playbackRate }));
    on('enterpictureinpicture leavepictureinpicture', () => store.set({ isPictureInPicture: document.pictureInPictureElement === video }));
  }

  private startWaiting(): void {
    this.waiting ??= setTimeout(() => this.store.set({ isWaiting: true }), WAITING_DELAY_MS);
  }

  private stopWaiting(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.store.set({ isWaiting: false });
  }
}

interface PlayerContextValue {
  player: Player;
  texts: Texts;
  title: string;
}

export const PlayerContext = createContext<PlayerContextValue | undefined>(undefined);

export function usePlayerContext(): PlayerContextValue {
  const value = use(PlayerContext);
  if (!value) throw new Error('outside of the player');
  return value;
}

export function usePlayer<S>(select: (state: PlayerState) => S): S {
  return useStore(usePlayerContext().player.store, select);
}
