import { z } from 'zod';
import { frameRateOf } from './frame-rate.js';
import type { Size } from './ladder.js';
import {
  RejectedSource,
  rejectSource,
  type AudioStream,
  type HdrColors,
  type Source,
  type SourceLimits,
  type VideoStream,
} from './source.js';

export const MAX_STREAMS = 64;
const MIN_SIDE = 16;
/** A stated duration is not trusted if it gives fewer bit/s than this: even speech takes more. */
const MIN_BITRATE = 2_000;
const MAX_BITRATE = 1e9;
/** Containers that store no duration: ffprobe estimates it from the first bitrate or from the first and last timestamp. */
const WITHOUT_DURATION = ['mp3', 'aac', 'ac3', 'eac3', 'amr', 'mpeg', 'mpegts'];

/** Primaries and matrices in which HDR is described, as ffprobe and zscale both name them. */
const PRIMARIES = ['bt709', 'bt2020', 'smpte431', 'smpte432'];
const MATRICES = ['bt709', 'bt2020nc', 'bt2020c'];

const seconds = z.coerce.number().finite().optional().catch(undefined);
const stream = z.object({
  index: z.number().int(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  pix_fmt: z.string().default(''),
  width: z.number().int().default(0),
  height: z.number().int().default(0),
  sample_aspect_ratio: z.string().default(''),
  field_order: z.string().default(''),
  color_transfer: z.string().default(''),
  color_primaries: z.string().default(''),
  color_space: z.string().default(''),
  r_frame_rate: z.string().default(''),
  avg_frame_rate: z.string().default(''),
  channels: z.number().int().default(0),
  nb_frames: z.string().optional(),
  start_time: seconds,
  duration: seconds,
  disposition: z.object({ default: z.number().default(0), attached_pic: z.number().default(0) }).default({ default: 0, attached_pic: 0 }),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
});
type Stream = z.infer<typeof stream>;

const probe = z.object({
  streams: z.array(stream).min(1),
  format: z.object({
    format_name: z.string(),
    duration: seconds,
    start_time: seconds,
    size: z.coerce.number(),
  }),
});

export interface Probed extends Source {
  /** Whether `duration` is plausible and not only an estimate. */
  isDurationPlausible: boolean;
  /** Whether the file also states the end of the picture. */
  hasVideoEnd: boolean;
}

/**
 * Streams of other codecs, and all that are neither picture nor sound, are ignored.
 * @param text ffprobe's JSON output @param codecs that may be decoded @param unused indexes of streams that are ignored too
 * @throws RejectedSource if it has no usable stream, too many tracks or an invalid size
 */
export function readProbe(
  text: string,
  limits: SourceLimits,
  codecs: ReadonlySet<string>,
  unused: ReadonlySet<number> = new Set(),
): Probed {
  const parsed = probe.safeParse(parse(text));
  if (!parsed.success) throw rejectSource('unreadable', parsed.error);
  const { streams, format } = parsed.data;
  const tracks = streams.filter((it) => it.codec_type === 'audio' || (it.codec_type === 'video' && !it.disposition.attached_pic));
  if (tracks.length > MAX_STREAMS) {
    throw new RejectedSource(`The file has ${tracks.length} tracks; at most ${MAX_STREAMS} are taken`);
  }
  const usable = streams.filter((it) => codecs.has(it.codec_name ?? '') && it.nb_frames !== '0' && !unused.has(it.index));
  const videoStreams = usable.filter((it) => it.codec_type === 'video' && it.width > 0 && it.height > 0);
  const video = best(
    videoStreams.filter((it) => !it.disposition.attached_pic),
    (it) => it.width * it.height,
  );
  const audio = best(
    usable.filter((it) => it.codec_type === 'audio' && it.channels > 0),
    (it) => it.channels,
  );
  if (!video && !audio) throw rejectSource('empty');

  const duration = format.duration ?? 0;
  const bitrate = (format.size * 8) / duration;
  const formats = format.format_name.split(',');
  const hasVideoEnd = video === undefined || video.duration !== undefined;
  return {
    formats,
    duration,
    isDurationPlausible:
      duration > 0 && bitrate > MIN_BITRATE && bitrate < MAX_BITRATE && !formats.some((it) => WITHOUT_DURATION.includes(it)),
    hasVideoEnd,
    video: video && toVideoStream(video, format.start_time ?? 0, limits),
    audio: audio && toAudioStream(audio, format.start_time ?? 0),
    cover: videoStreams.find((it) => it.disposition.attached_pic)?.index,
  };
}

/** The stream that the file marks as default, otherwise the one with the largest amount. */
function best(streams: Stream[], amount: (it: Stream) => number): Stream | undefined {
  return streams.toSorted((a, b) => b.disposition.default - a.disposition.default || amount(b) - amount(a) || a.index - b.index)[0];
}

function toVideoStream(it: Stream, startsAt: number, { side }: SourceLimits): VideoStream {
  const size = displaySize(it);
  const largest = Math.max(it.width, it.height, size.width, size.height);
  if (largest > side) throw new RejectedSource(`The picture is ${size.width} × ${size.height}; at most ${side} pixels a side are taken`);
  if (Math.min(it.width, it.height, size.width, size.height) < MIN_SIDE) {
    throw new RejectedSource(`The picture is ${size.width} × ${size.height}; at least ${MIN_SIDE} pixels a side are needed`);
  }
  return {
    index: it.index,
    codec: it.codec_name ?? '',
    pixelFormat: it.pix_fmt,
    size,
    frameRate: frameRateOf(it.r_frame_rate, it.avg_frame_rate),
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(it.field_order),
    hdr: hdrOf(it),
    startsAt: (it.start_time ?? startsAt) - startsAt,
    endsAt: (it.start_time ?? 0) - startsAt + (it.duration ?? 0),
  };
}

const toAudioStream = (it: Stream, startsAt: number): AudioStream => ({
  index: it.index,
  codec: it.codec_name ?? '',
  channels: it.channels,
  startsAt: (it.start_time ?? startsAt) - startsAt,
});

/** Cameras and editors often state only a part of the description: the rest is assumed to be BT.2020, as HDR always is. */
function hdrOf({ color_transfer: transfer, color_primaries, color_space, pix_fmt }: Stream): HdrColors | undefined {
  if (transfer !== 'smpte2084' && transfer !== 'arib-std-b67') return undefined;
  const isRgb = /^(gbr|rgb|bgr)/.test(pix_fmt);
  return {
    transfer,
    primaries: PRIMARIES.includes(color_primaries) ? color_primaries : 'bt2020',
    matrix: isRgb ? 'gbr' : MATRICES.includes(color_space) ? color_space : 'bt2020nc',
  };
}

function displaySize({ width, height, sample_aspect_ratio, side_data_list }: Stream): Size {
  const [over = 1, under = 1] = sample_aspect_ratio.split(':').map(Number);
  const aspect = over > 0 && under > 0 && over / under < 100 && under / over < 100 ? over / under : 1;
  const square = { width: Math.round(width * aspect), height };
  const rotation = Math.abs(side_data_list.find((it) => it.rotation !== undefined)?.rotation ?? 0) % 180;
  return Math.abs(rotation - 90) < 1 ? { width: square.height, height: square.width } : square;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether so many seconds of the stated duration are missing that rounding cannot be the reason. */
export const isTruncated = (actual: number, stated: number) => actual < stated - Math.max(2, stated * 0.05);

/** @param duration seconds @throws RejectedSource if it exceeds the limit or is not positive */
export function checkDuration(duration: number, { seconds }: SourceLimits): void {
  if (!(duration > 0)) throw rejectSource('empty');
  if (duration > seconds) {
    throw new RejectedSource(`The file is ${formatDuration(duration)} long; at most ${formatDuration(seconds)} are taken`);
  }
}

/** Formats seconds such as `7 h 2 min` or `45 s`. */
export function formatDuration(duration: number): string {
  const whole = Math.round(duration);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'min'],
    [whole < 3600 ? whole % 60 : 0, 's'],
  ] as const;
  return (
    parts
      .filter(([amount]) => amount > 0)
      .map(([amount, unit]) => `${amount} ${unit}`)
      .join(' ') || '0 s'
  );
}
