import { toFailure, Retry } from './failure.js';
import type { SourceListener, Source } from './source.js';

/** Plays a single file, or a playlist that the browser supports natively. */
export function openNative(video: HTMLVideoElement, src: string, listener: SourceListener): Source {
  const retry = new Retry();
  const events = new AbortController();
  const { signal } = events;
  const onDataReceived = () => {
    retry.reset();
    listener.onConnectionLost(false);
  };
  const load = () => {
    const { currentTime: at, paused } = video;
    video.src = src;
    if (at > 0) video.currentTime = at;
    if (!paused) video.play().catch(() => undefined);
  };
  const failed = async () => {
    // The video element does not report the HTTP status, so it is requested separately.
    const status = await fetch(src, { headers: { range: 'bytes=0-0' }, signal }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (signal.aborted) return;
    if (status >= 200 && status < 300) return listener.onFailed('unsupported');
    const failure = toFailure(status);
    if (failure) return listener.onFailed(failure);
    listener.onConnectionLost(true);
    retry.schedule(load);
  };
  const tracks = () => [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions');
  const reportCaptions = () => {
    const list = tracks().map(({ label, language }, id) => ({ id, label: label || language || String(id + 1) }));
    const shown = tracks().findIndex(({ mode }) => mode !== 'disabled');
    listener.onCaptions(list, shown < 0 ? null : shown);
  };
  video.addEventListener('loadeddata', onDataReceived, { signal });
  video.addEventListener('error', () => void failed(), { signal });
  video.textTracks.addEventListener('addtrack', reportCaptions, { signal });
  video.preload = 'metadata';
  load();
  return {
    startBuffering: () => void (video.preload = 'auto'),
    setQuality: () => undefined,
    showCaption: (id) => {
      for (const [at, track] of tracks().entries()) track.mode = at === id ? 'hidden' : 'disabled';
      reportCaptions();
    },
    close: () => {
      retry.close();
      events.abort();
      video.removeAttribute('src');
      video.load();
    },
  };
}
