import type { VideoStream, Source } from '../source/source.js';
import type { Size } from './ladder.js';
import type { Plan, Variant } from './plan.js';

const POSTER_SIDE = 720;
/** Seconds of video from which the poster is chosen, and how many frames of each second. */
const POSTER_WINDOW = 10;
const POSTER_FPS = 2;
/** Maps wide (HDR) colours to those of every screen: to linear light, to BT.709's primaries, and with compressed highlights. */
const HDR_TO_SDR = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
];

/**
 * The filter graph between one decoder per stream and all outputs: `[v0]`, `[a0]`, … by variant, and `[poster]`. The lower rungs are
 * scaled down from the top one, which is a fraction of the work of scaling from a larger source.
 */
export function filtersOf(source: Source, { variants }: Plan, canToneMap: boolean): string {
  const { video, audio } = source;
  const graph: string[] = video ? [...videoFilters(video, source.duration, variants, canToneMap)] : [];
  if (audio) {
    const names = variants.map((_, at) => `[a${at}]`);
    graph.push(`[0:${audio.index}]${audioChain(source)},asplit=${names.length}${names.join('')}`);
  }
  return graph.join(';');
}

function videoFilters(video: VideoStream, duration: number, variants: Variant[], canToneMap: boolean): string[] {
  const top = variants.length - 1;
  const sizes = variants.flatMap(({ video }) => video ?? []);
  const lower = sizes.slice(0, top);
  const splits = [`[v${top}]`, ...lower.map((_, at) => `[s${at}]`), '[p]'];
  const chain = [
    ...(video.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=fps=${video.frameRate.text}:start_time=0`,
    // If the picture ends before the sound, players would wait for it: its last frame is repeated.
    ...(duration - video.endsAt > 0.5 ? [`tpad=stop_mode=clone:stop_duration=${decimal(duration - video.endsAt)}`] : []),
    scale(sizes[top] ?? video.size),
    ...(video.isHdr && canToneMap ? HDR_TO_SDR : []),
    'setsar=1',
    'format=yuv420p',
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

function audioChain({ video, duration }: Source): string {
  const chain = ['aresample=48000:async=1000:first_pts=0', 'aformat=channel_layouts=stereo'];
  // Likewise, sound that ends before the picture is padded with silence.
  if (video) chain.push(`apad=whole_dur=${decimal(duration)}`);
  return chain.join(',');
}

const scale = ({ width, height }: Size) => `scale=${width}:${height}:flags=bicubic`;
const decimal = (seconds: number) => String(Math.round(seconds * 1_000) / 1_000);
