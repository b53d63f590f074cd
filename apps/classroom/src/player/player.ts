import { Store } from '../store/store.js';
import type { Failure } from './failure.js';
import { isPlaylist, type Link } from './link.js';
import { INITIAL, RATES, type PlayerState } from './player-state.js';
import { hasMediaSource, type Listener, type Source } from './source.js';
import { bufferedEnd } from './time.js';

/** How long the player waits for data before it shows so, in milliseconds. */
const PATIENCE_MS = 1_000;

/** A video element with its source and their state. */
export class Player {
  readonly video = document.createElement('video');
  readonly store = new Store<PlayerState>(INITIAL);
  private source: Source | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private isWanted = false;

  constructor(private readonly link: Link) {
    const { video } = this;
    video.playsInline = true;
    if (link.poster) video.poster = link.poster;
    this.follow();
  }

  async load(): Promise<void> {
    const { src } = this.link;
    if (!src) return this.fail('no-link');
    this.source?.close();
    this.store.set({ ...INITIAL, volume: this.video.volume, isMuted: this.video.muted });
    this.wait();
    try {
      const open =
        isPlaylist(src) && hasMediaSource() ? (await import('./hls-source.js')).openHls : (await import('./plain-source.js')).openPlain;
      this.source = await open(this.video, src, this.listener);
      if (this.isWanted) this.source.wanted();
    } catch {
      this.fail('failed');
    }
  }

  play(): void {
    this.isWanted = true;
    this.source?.wanted();
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

  toggleSound(): void {
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
    const beyond = RATES.filter((rate) => (by > 0 ? rate > this.video.playbackRate : rate < this.video.playbackRate));
    this.setRate((by > 0 ? beyond[0] : beyond.at(-1)) ?? this.video.playbackRate);
  }

  choose(quality: number | null): void {
    this.source?.choose(quality);
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

  private readonly listener: Listener = {
    qualities: (qualities) => this.store.set({ qualities }),
    plays: (playing) => this.store.set({ playing }),
    captions: (captions, caption) => this.store.set({ captions, caption }),
    lost: (isLost) => this.store.set({ isLost }),
    fails: (failure) => this.fail(failure),
  };

  private fail(failure: Failure): void {
    this.source?.close();
    this.source = undefined;
    this.arrive();
    this.store.set({ phase: 'failed', failure, isLost: false });
  }

  private follow(): void {
    const { video, store } = this;
    const on = (names: string, hear: () => void) => names.split(' ').forEach((name) => video.addEventListener(name, hear));
    on('loadedmetadata durationchange', () => store.set({ duration: Number.isFinite(video.duration) ? video.duration : 0 }));
    on('loadeddata resize', () => store.set({ hasPicture: video.videoWidth > 0 }));
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
    on('waiting seeking', () => this.wait());
    on('playing canplay seeked loadeddata ended', () => this.arrive());
    on('volumechange', () => store.set({ volume: video.volume, isMuted: video.muted }));
    on('ratechange', () => store.set({ rate: video.playbackRate }));
    on('enterpictureinpicture leavepictureinpicture', () => store.set({ isInPicture: document.pictureInPictureElement === video }));
  }

  private wait(): void {
    this.waiting ??= setTimeout(() => this.store.set({ isWaiting: true }), PATIENCE_MS);
  }

  private arrive(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.store.set({ isWaiting: false });
  }
}
