import type { AudioStream, HdrColors, VideoStream, Source } from '../source.js';
import type { Size } from './ladder.js';
import type { Plan, Variant } from './plan.js';

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
export function filtersOf({ video, audio, duration }: Source, { variants }: Plan, canToneMap: boolean): string[] {
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
