import type { ErrorData, default as HlsPlayer } from 'hls.js';
import { failureOfStatus } from './failure.js';
import { qualitiesOf } from './quality.js';
import { Retry } from './retry.js';
import type { Listener, Source } from './source.js';

/**
 * Seconds of video that are loaded ahead, before the user starts the video (`waiting`) and after (`wanted`), and kept behind
 * the position (`behind`).
 */
const AHEAD = { waiting: 1, wanted: 30, behind: 60 };
/** If the decoder fails twice within this time, in milliseconds, the player gives up. */
const STUMBLE_MS = 5_000;

/** @throws Error if hls.js itself cannot be loaded */
export async function openHls(video: HTMLVideoElement, src: string, listener: Listener): Promise<Source> {
  // The light build does not support captions. Single files are played without hls.js.
  const { default: Hls } = await import('hls.js');
  const hls = new Hls({
    capLevelToPlayerSize: true,
    maxBufferLength: AHEAD.waiting,
    maxMaxBufferLength: AHEAD.waiting,
    backBufferLength: AHEAD.behind,
  });
  const retry = new Retry();
  const close = () => {
    retry.close();
    hls.destroy();
  };
  const { Events, ErrorDetails, ErrorTypes } = Hls;
  const arrived = () => {
    retry.succeeded();
    listener.lost(false);
  };
  hls.on(Events.MANIFEST_PARSED, () => listener.qualities(qualitiesOf(hls.levels)));
  hls.on(Events.LEVEL_LOADED, arrived);
  hls.on(Events.FRAG_LOADED, arrived);
  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => listener.plays(level));
  // The page draws captions itself, above its controls.
  hls.subtitleDisplay = false;
  const tellCaptions = () =>
    listener.captions(
      hls.subtitleTracks.map(({ name, lang }, id) => ({ id, label: name || lang || String(id + 1) })),
      hls.subtitleTrack < 0 ? null : hls.subtitleTrack,
    );
  hls.on(Events.SUBTITLE_TRACKS_UPDATED, tellCaptions);
  hls.on(Events.SUBTITLE_TRACK_SWITCH, tellCaptions);

  let stumbledAt = -Infinity;
  hls.on(Events.ERROR, (_, error) => {
    if (error.type === ErrorTypes.NETWORK_ERROR) {
      const status = error.response?.code ?? 0;
      const failure = failureOfStatus(status);
      // An expired address stays expired. A single missing segment may be available in another quality.
      if (failure && (error.fatal || failure === 'expired')) return fail(failure);
      if (!failure) listener.lost(true);
      if (error.fatal) retry.later(() => resume(hls, src, error));
    } else if (error.fatal) {
      const isForeign =
        error.details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR || error.details === ErrorDetails.BUFFER_ADD_CODEC_ERROR;
      const hasStumbled = error.type === ErrorTypes.MEDIA_ERROR && performance.now() - stumbledAt > STUMBLE_MS;
      if (isForeign || !hasStumbled) return fail(isForeign ? 'unsupported' : 'failed');
      stumbledAt = performance.now();
      hls.recoverMediaError();
    }
  });
  const fail = (failure: Parameters<Listener['fails']>[0]) => {
    close();
    listener.fails(failure);
  };
  hls.loadSource(src);
  hls.attachMedia(video);
  return {
    wanted: () => void Object.assign(hls.config, { maxBufferLength: AHEAD.wanted, maxMaxBufferLength: AHEAD.wanted * 2 }),
    choose: (quality) => void (hls.nextLevel = quality ?? -1),
    showCaption: (id) => void (hls.subtitleTrack = id ?? -1),
    close,
  };
}

function resume(hls: HlsPlayer, src: string, { details }: ErrorData): void {
  if (hls.levels.length === 0 || details.startsWith('manifest')) hls.loadSource(src);
  else hls.startLoad();
}
