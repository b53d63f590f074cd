import { inputOptions } from '@classroom/sandbox';
import type { Size } from './ladder.js';
import type { Plan, Variant } from './plan.js';
import { SOURCE_INPUT, type AudioStream, type HdrColors, type Source, type SourceLimits, type VideoStream } from './source.js';

const POSTER_SIDE = 720;
/** Seconds of video from which the poster is chosen, and how many frames of each second. */
const POSTER_WINDOW = 10;
const POSTER_FPS = 2;
/** Sound that begins later than this after the file is preceded by silence. Players skip a shorter gap. */
const MAX_GAP_SECONDS = 0.1;
/**
 * Maps wide (HDR) colours to those of every screen: to linear light, to BT.709's primaries, and with compressed highlights. What the
 * frames state is replaced: it may be incomplete, for which there is no conversion.
 */
const hdrToSdr = ({ transfer, primaries, matrix }: HdrColors) => [
  `setparams=color_trc=${transfer}:color_primaries=${primaries}:colorspace=${matrix}`,
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
];

/**
 * The filter graphs between one decoder per stream and all outputs: `[v0]`, `[a0]`, … by variant, and `[poster]`. The lower rungs are
 * scaled down from the top one, which is a fraction of the work of scaling from a larger source.
 *
 * ffmpeg builds a graph again when its stream changes in mid-file (size, rotation, sample rate, channels). So picture and sound have
 * a graph each, and no filter counts from the start of its graph: times are those of the file.
 */
function filtersOf({ video, audio, duration }: Source, { variants }: Plan, canToneMap: boolean): string[] {
  const names = variants.map((_, at) => `[a${at}]`);
  return [
    ...(video ? [videoFilters(video, duration, variants, canToneMap).join(';')] : []),
    ...(audio ? [`[0:${audio.index}]${audioChain(audio, video ? duration : undefined)},asplit=${names.length}${names.join('')}`] : []),
  ];
}

function videoFilters(video: VideoStream, duration: number, variants: Variant[], canToneMap: boolean): string[] {
  const top = variants.length - 1;
  const sizes = variants.flatMap(({ video }) => video ?? []);
  const lower = sizes.slice(0, top);
  const splits = [`[v${top}]`, ...lower.map((_, at) => `[s${at}]`), '[p]'];
  const chain = [
    ...(video.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    // The encoder repeats the first frame of a picture that begins late (-vsync cfr).
    `fps=fps=${video.frameRate.text}`,
    // If the picture ends before the sound, players would wait for it: its last frame is repeated.
    ...(duration - video.endsAt > 0.5 ? [`tpad=stop_mode=clone:stop_duration=${decimal(duration - video.endsAt)}`] : []),
    fit(sizes[top] ?? video.size),
    ...(video.hdr && canToneMap ? hdrToSdr(video.hdr) : []),
    'format=yuv420p',
    center(sizes[top] ?? video.size),
    'setsar=1',
    `split=${splits.length}${splits.join('')}`,
  ];
  return [
    `[0:${video.index}]${chain.join(',')}`,
    ...lower.map((size, at) => `[s${at}]${scale(size)}[v${at}]`),
    `[p]${posterChain(duration, posterSize(sizes))}[poster]`,
  ];
}

function posterChain(duration: number, size: Size): string {
  const window = Math.max(1, Math.min(POSTER_WINDOW, duration / 10));
  return [
    `trim=start=${decimal(duration / 10)}:duration=${decimal(window)}`,
    `fps=${POSTER_FPS}`,
    scale(size),
    `thumbnail=n=${POSTER_WINDOW * POSTER_FPS}`,
    'format=yuvj420p',
  ].join(',');
}

const posterSize = (sizes: Size[]) => sizes.findLast(({ width, height }) => Math.min(width, height) <= POSTER_SIDE) ?? (sizes[0] as Size);

/** @param padTo seconds of the file to which sound that ends before the picture is padded with silence */
function audioChain({ startsAt }: AudioStream, padTo: number | undefined): string {
  const start = startsAt > MAX_GAP_SECONDS ? ':first_pts=0' : '';
  const end = padTo === undefined ? 'atrim=start=0' : `apad,atrim=start=0:end=${decimal(padTo)}`;
  return `aresample=48000:async=1000${start},aformat=channel_layouts=stereo,${end}`;
}

/** Scales a picture of any shape to the largest even size within this one. */
const fit = ({ width, height }: Size) =>
  `scale='max(2,2*round(min(${width},${height}*dar)/2))':'max(2,2*round(min(${height},${width}/dar)/2))':flags=bicubic`;
const center = ({ width, height }: Size) => `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`;
const scale = ({ width, height }: Size) => `scale=${width}:${height}:flags=bicubic`;
const decimal = (seconds: number) => String(Math.round(seconds * 1_000) / 1_000);

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
