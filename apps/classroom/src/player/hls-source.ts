import type { ErrorData, default as HlsPlayer } from 'hls.js';
import { toFailure, Retry } from './failure.js';
import type { Quality, Source, SourceListener } from './source.js';

interface Level {
  width?: number;
  height?: number;
  bitrate: number;
}

/**
 * The qualities, best first. Each is named by its shorter side, whatever the orientation; without a picture, or if two have the
 * same name, with its bit rate.
 */
export function toQualities(levels: readonly Level[]): Quality[] {
  const named = levels.map((level, id) => ({ id, level, name: nameOf(level) }));
  const isDuplicate = (name: string) => named.filter((other) => other.name === name).length > 1;
  return named
    .toSorted((a, b) => b.level.bitrate - a.level.bitrate)
    .map(({ id, level, name }) => ({
      id,
      label: name && !isDuplicate(name) ? name : `${name} ${Math.round(level.bitrate / 1000)} kbit/s`.trim(),
    }));
}

function nameOf({ width = 0, height = 0 }: Level): string {
  const side = Math.min(width, height);
  return side > 0 ? `${side}p` : '';
}

/**
 * Seconds of video that are loaded ahead, before the user starts the video (`beforeStart`) and after (`afterStart`), and kept behind
 * the position (`behind`).
 */
const AHEAD = { beforeStart: 1, afterStart: 30, behind: 60 };
/** If the decoder fails twice within this time, in milliseconds, the player gives up. */
const RECOVERY_WINDOW_MS = 5_000;

/** @throws Error if hls.js itself cannot be loaded */
export async function openHls(video: HTMLVideoElement, src: string, listener: SourceListener): Promise<Source> {
  // The light build does not support captions. Single files are played without hls.js.
  const { default: Hls } = await import('hls.js');
  const hls = new Hls({
    capLevelToPlayerSize: true,
    maxBufferLength: AHEAD.beforeStart,
    maxMaxBufferLength: AHEAD.beforeStart,
    backBufferLength: AHEAD.behind,
  });
  const retry = new Retry();
  const close = () => {
    retry.close();
    hls.destroy();
  };
  const { Events, ErrorDetails, ErrorTypes } = Hls;
  const onDataReceived = () => {
    retry.reset();
    listener.onConnectionLost(false);
  };
  hls.on(Events.MANIFEST_PARSED, () => listener.onQualities(toQualities(hls.levels)));
  hls.on(Events.LEVEL_LOADED, onDataReceived);
  hls.on(Events.FRAG_LOADED, onDataReceived);
  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => listener.onQualityPlaying(level));
  // The page draws captions itself, above its controls.
  hls.subtitleDisplay = false;
  const reportCaptions = () =>
    listener.onCaptions(
      hls.subtitleTracks.map(({ name, lang }, id) => ({ id, label: name || lang || String(id + 1) })),
      hls.subtitleTrack < 0 ? null : hls.subtitleTrack,
    );
  hls.on(Events.SUBTITLE_TRACKS_UPDATED, reportCaptions);
  hls.on(Events.SUBTITLE_TRACK_SWITCH, reportCaptions);

  let recoveredAt = -Infinity;
  hls.on(Events.ERROR, (_, error) => {
    if (error.type === ErrorTypes.NETWORK_ERROR) {
      const status = error.response?.code ?? 0;
      const failure = toFailure(status);
      // An expired address stays expired. A single missing segment may be available in another quality.
      if (failure && (error.fatal || failure === 'expired')) return fail(failure);
      if (!failure) listener.onConnectionLost(true);
      if (error.fatal) retry.schedule(() => resume(hls, src, error));
    } else if (error.fatal) {
      const hasUnsupportedCodec =
        error.details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR || error.details === ErrorDetails.BUFFER_ADD_CODEC_ERROR;
      const canRecover = error.type === ErrorTypes.MEDIA_ERROR && performance.now() - recoveredAt > RECOVERY_WINDOW_MS;
      if (hasUnsupportedCodec || !canRecover) return fail(hasUnsupportedCodec ? 'unsupported' : 'failed');
      recoveredAt = performance.now();
      hls.recoverMediaError();
    }
  });
  const fail = (failure: Parameters<SourceListener['onFailed']>[0]) => {
    close();
    listener.onFailed(failure);
  };
  hls.loadSource(src);
  hls.attachMedia(video);
  return {
    startBuffering: () => void Object.assign(hls.config, { maxBufferLength: AHEAD.afterStart, maxMaxBufferLength: AHEAD.afterStart * 2 }),
    // `nextLevel` would keep what is buffered, which may be the whole rest of the film. An automatic choice needs no immediate change.
    setQuality: (quality) => {
      if (quality === null) hls.nextLevel = -1;
      else hls.currentLevel = quality;
    },
    showCaption: (id) => void (hls.subtitleTrack = id ?? -1),
    close,
  };
}

function resume(hls: HlsPlayer, src: string, { details }: ErrorData): void {
  if (hls.levels.length === 0 || details.startsWith('manifest')) hls.loadSource(src);
  else hls.startLoad();
}
