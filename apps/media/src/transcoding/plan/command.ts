import { inputOptions } from '@classroom/sandbox';
import { SOURCE_INPUT, type Source, type SourceLimits } from '../source.js';
import { filtersOf } from './filters.js';
import type { Plan, Variant } from './plan.js';

export const SEGMENT_SECONDS = 4;
export const POSTER = 'poster.jpg';
export const SINGLE_FILE = 'file.mp4';
export const PLAYLIST = 'index.m3u8';
export const INIT = 'init.mp4';

export interface CommandOptions {
  /** Absolute path of the source. The output is written to ffmpeg's working folder. */
  file: string;
  limits: SourceLimits;
  /** For each encoder and decoder. */
  threads: number;
  canToneMap: boolean;
}

const QUIET = words('-nostdin -hide_banner -v error -nostats -progress pipe:1 -stats_period 0.5 -y');
/** Metadata may contain the camera's position and address, and chapter titles any text: both are dropped. */
const NO_METADATA = words('-map_metadata -1 -map_chapters -1');
/** If one stream begins long after another, the packets of the earlier one have to be queued. */
const QUEUE = words('-max_muxing_queue_size 100000');

/** Splits at spaces: none of our options contains one, and paths are never passed here. */
function words(text: string): string[] {
  return text.split(' ');
}

/** ffmpeg's arguments: one process with one decoder per stream. */
export function commandOf(source: Source, plan: Plan, { file, limits, threads, canToneMap }: CommandOptions): string[] {
  // A container may hold more than the duration that it states.
  const input = ['-threads', String(threads), '-t', String(limits.seconds + 60), ...inputOptions(SOURCE_INPUT, file, limits.side)];
  if (plan.isRemuxed) return [...QUIET, ...input, ...remuxOptions(source)];
  const outputs = plan.variants.flatMap((variant, at) => [
    ...(variant.video ? ['-map', `[v${at}]`] : []),
    ...(variant.audioKbps ? ['-map', `[a${at}]`] : []),
    ...NO_METADATA,
    ...QUEUE,
    ...videoOptions(variant, source, threads),
    ...(variant.audioKbps ? ['-c:a', 'aac', '-b:a', `${variant.audioKbps}k`] : []),
    ...(plan.type === 'hls' ? hlsOptions(variant.name) : MP4_OPTIONS),
  ]);
  const graphs = filtersOf(source, plan, canToneMap).flatMap((graph) => ['-filter_complex', graph]);
  const poster = source.video ? ['-map', '[poster]', ...JPEG_OPTIONS] : [];
  return [...QUIET, ...input, ...graphs, ...outputs, ...poster];
}

/**
 * `veryfast` is x264's best trade-off: `medium` takes three times as long for a tenth fewer bits, and a class is waiting. Quality is
 * constant up to the rung's bitrate, so slides take a fraction of it.
 */
function videoOptions({ video }: Variant, source: Source, threads: number): string[] {
  if (!video || !source.video) return [];
  const group = Math.ceil(source.video.frameRate.value * SEGMENT_SECONDS);
  return [
    ...words(`-c:v libx264 -preset veryfast -profile:v high -pix_fmt yuv420p -vsync cfr -threads ${threads}`),
    ...words(`-crf 23 -maxrate ${video.kbps}k -bufsize ${video.kbps * 2}k`),
    // Keyframes are at the same frames in every rung, and nowhere else.
    ...words(`-g ${group} -sc_threshold 0 -force_key_frames expr:gte(t,n_forced*${SEGMENT_SECONDS})`),
  ];
}

/**
 * Fragmented MP4: hls.js passes it on unchanged and Safari plays it since iOS 10, whereas every phone would have to unpack MPEG-TS. One
 * file per segment, because caches store whole objects and each segment is uploaded while the next one is made.
 */
const hlsOptions = (name: string) => [
  ...words(`-f hls -hls_time ${SEGMENT_SECONDS} -hls_playlist_type vod -hls_segment_type fmp4`),
  // temp_file: a segment gets its name only when it is complete.
  ...words(`-hls_flags independent_segments+temp_file -hls_fmp4_init_filename ${INIT}`),
  ...words(`-hls_segment_filename ${name}/%05d.m4s ${name}/${PLAYLIST}`),
];

const MP4_OPTIONS = words(`-movflags +faststart -f mp4 ${SINGLE_FILE}`);
const JPEG_OPTIONS = words(`-frames:v 1 -c:v mjpeg -q:v 3 -f image2 -update 1 ${POSTER}`);

function remuxOptions({ video, audio }: Source): string[] {
  const maps = [video, audio].flatMap((it) => (it ? ['-map', `0:${it.index}`] : []));
  return [...maps, ...NO_METADATA, ...QUEUE, '-c', 'copy', ...MP4_OPTIONS];
}

/** Makes only a poster, if nothing else is decoded or the main run made none. @param at seconds */
export function posterCommand(index: number, at: number, { file, limits, threads }: Omit<CommandOptions, 'canToneMap'>): string[] {
  // A cover has no time: even seeking to 0 would skip it.
  const start = at > 0 ? ['-ss', String(at)] : [];
  const input = ['-threads', String(threads), ...start, ...inputOptions(SOURCE_INPUT, file, limits.side)];
  const fit = "scale='min(1280,iw)':'min(1280,ih)':force_original_aspect_ratio=decrease,thumbnail=n=20,format=yuvj420p";
  return [...QUIET, ...input, '-map', `0:${index}`, '-vf', fit, ...JPEG_OPTIONS];
}
