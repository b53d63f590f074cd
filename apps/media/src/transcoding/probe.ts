import { join } from 'node:path';
import { inProgramSpan } from '@classroom/platform';
import { inputOptions, isolatedCommand, probeOptions, runProgram, type RunOptions } from '@classroom/sandbox';
import { outTime } from './progress.js';
import {
  RejectedSource,
  rejectSource,
  SOURCE_INPUT,
  type AudioStream,
  type Source,
  type SourceLimits,
  type VideoStream,
} from './source.js';
import type { Tools } from './transcoding-tools.js';
import { checkDuration, isTruncated, MAX_STREAMS, readProbe, type Probed } from './read-probe.js';

/** Long enough for a machine that does ten other things. LIMITS bounds what the program may use. */
const PROBE_TIMEOUT_MS = 5 * 60_000;
const MEASURE_TIMEOUT_MS = 30 * 60_000;
const LIMITS = { memory: 2 * 1024 ** 3, processorSeconds: 120 };
const MAX_CHARACTERS = 4 * 1024 ** 2;
/** How many streams are tried that cannot be decoded. Each may have to be read to its end. */
const MAX_UNDECODABLE = 8;
/** Of the copy of a file's beginning: 10 s, or as many bytes. */
const HEAD_BYTES = 64 * 1024 ** 2;
const QUIET = ['-nostdin', '-v', 'error', '-nostats'];
const SHOWN_ENTRIES = [
  'format=format_name,duration,start_time,size',
  'stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,field_order,color_transfer,color_primaries,color_space,r_frame_rate,avg_frame_rate,channels,nb_frames,start_time,duration',
  'stream_disposition=default,attached_pic',
  'stream_side_data=rotation',
];

interface ProbeContext {
  tools: Tools;
  file: string;
  folder: string;
  signal: AbortSignal;
}

/** Inspects the file. @throws RejectedSource if it is not accepted, or the signal's reason */
export async function probeSource(context: ProbeContext, limits: SourceLimits): Promise<Source> {
  const allowed = new Set(SOURCE_INPUT.decoders.flatMap((name) => context.tools.decoders.get(name) ?? []));
  const text = await describe(context, context.file, limits).catch((error: unknown) => {
    unlessAborted(undefined, context.signal)(error);
    return describeDecodable(context, limits, error);
  });
  const { isDurationPlausible, hasVideoEnd, ...stated } = await selectStreams(context, text, limits, allowed);
  const { video } = stated;
  const duration = await measureDuration(context, indexesOf(stated), limits);
  checkDuration(duration, limits);
  if (isDurationPlausible && isTruncated(duration, stated.duration) && (await endsEarly(context, stated.duration, limits))) {
    throw rejectSource('truncated');
  }
  if (!video || hasVideoEnd) return { ...stated, duration };
  return { ...stated, duration, video: { ...video, endsAt: await measureDuration(context, [video.index], limits) } };
}

/** What ffprobe says about a file. */
function describe(context: ProbeContext, file: string, { side }: SourceLimits, input = SOURCE_INPUT): Promise<string> {
  const { ffprobe, decoders } = context.tools;
  const args = [
    '-v',
    'error',
    '-of',
    'json',
    '-show_entries',
    SHOWN_ENTRIES.join(':'),
    ...probeOptions(input, file, side, decoders.keys()),
  ];
  return outputOf(context, [ffprobe, ...args], PROBE_TIMEOUT_MS);
}

/**
 * What ffprobe says about the streams that can be decoded. It opens a decoder for each stream, and ends without a result if one cannot be opened: so it
 * reads a copy of the file's beginning without such streams. Nothing is said about the container and the lengths.
 * @throws `otherwise` if no stream can be decoded
 */
async function describeDecodable(context: ProbeContext, limits: SourceLimits, otherwise: unknown): Promise<string> {
  const input = [...QUIET, ...inputOptions(SOURCE_INPUT, context.file, limits.side)];
  const all = ['-map', '0', '-copy_unknown', '-c', 'copy', '-t', '0', '-f', 'framecrc', '-'];
  const listed = await outputOf(context, [context.tools.ffmpeg, ...input, ...all], PROBE_TIMEOUT_MS).catch(
    unlessAborted('', context.signal),
  );
  const tracks = [...listed.matchAll(/^#media_type (\d+): (?:video|audio)$/gm)].map(([, index]) => Number(index));
  const decodable: number[] = [];
  for (const index of tracks.slice(0, MAX_STREAMS)) if (await canDecode(context, [index], limits)) decodable.push(index);
  if (decodable.length === 0) throw otherwise;
  const head = join(context.folder, 'head.nut');
  const copy = [...mapsOf(decodable), '-c', 'copy', '-t', '10', '-fs', String(HEAD_BYTES), '-f', 'nut', '-y', `file:${head}`];
  await outputOf(context, [context.tools.ffmpeg, ...input, ...copy], PROBE_TIMEOUT_MS, 2 * HEAD_BYTES);
  const said = JSON.parse(await describe(context, head, limits, { ...SOURCE_INPUT, formats: ['nut'] })) as {
    streams: object[];
    format: object;
  };
  const streams = said.streams.map((it, at) => ({ ...it, index: decodable[at], duration: undefined }));
  return JSON.stringify({ streams, format: { ...said.format, format_name: '', duration: undefined } });
}

/**
 * The best streams that can be decoded. Of some, such as WMA in a MOV, the codec is an allowed one and yet no decoder can be opened: another track is
 * used then, or picture or sound alone.
 */
async function selectStreams(context: ProbeContext, text: string, limits: SourceLimits, allowed: ReadonlySet<string>): Promise<Probed> {
  const undecodable = new Set<number>();
  const isDecodable = (streams: number[]) => canDecode(context, streams, limits);
  for (;;) {
    const probed = readProbe(text, limits, allowed, undecodable);
    const streams = indexesOf(probed);
    if (await isDecodable(streams)) return probed;
    const before = undecodable.size;
    for (const index of streams) if (streams.length === 1 || !(await isDecodable([index]))) undecodable.add(index);
    if (undecodable.size === before) return probed;
    if (undecodable.size > MAX_UNDECODABLE) throw rejectSource('undecodable');
  }
}

const indexesOf = ({ video, audio }: Pick<Source, 'video' | 'audio'>) =>
  [video, audio].flatMap((it: VideoStream | AudioStream | undefined) => it?.index ?? []);

/** Whether each of these streams has a frame that can be decoded. */
async function canDecode(context: ProbeContext, streams: number[], { side }: SourceLimits): Promise<boolean> {
  const firstFrames = ['-max_error_rate', '1', '-frames:v', '1', '-frames:a', '1', '-f', 'framecrc', '-'];
  const args = [...QUIET, ...inputOptions(SOURCE_INPUT, context.file, side), ...mapsOf(streams), ...firstFrames];
  const output = await outputOf(context, [context.tools.ffmpeg, ...args], MEASURE_TIMEOUT_MS).catch(unlessAborted('', context.signal));
  // A line for each frame, which begins with the number of its stream in the output.
  return streams.every((_, at) => new RegExp(`^${at},`, 'm').test(output));
}

/** Whether the file ends before the duration that it states. A stream that is not used, such as subtitles, may be longer than those that are. */
async function endsEarly(context: ProbeContext, stated: number, limits: SourceLimits): Promise<boolean> {
  if (!isTruncated(await measureDuration(context, ['v?', 'a?'], limits), stated)) return false;
  // ffmpeg measures no subtitles and no data.
  const input = [...QUIET, ...inputOptions(SOURCE_INPUT, context.file, limits.side)];
  const args = [...input, ...mapsOf(['s?', 'd?']), '-c', 'copy', '-f', 'framecrc', '-'];
  const packets = await outputOf(context, [context.tools.ffmpeg, ...args], MEASURE_TIMEOUT_MS).catch(unlessAborted('', context.signal));
  return isTruncated(lastEndOf(packets), stated);
}

/** The end of the last packet in seconds. @param packets as framecrc lists them */
function lastEndOf(packets: string): number {
  const clocks = new Map(
    [...packets.matchAll(/^#tb (\d+): (\d+)\/(\d+)$/gm)].map(([, stream, over, under]) => [stream, Number(over) / Number(under)]),
  );
  let end = 0;
  for (const [, stream, pts, duration] of packets.matchAll(/^(\d+), *-?\d+, *(-?\d+), *(\d+),/gm)) {
    end = Math.max(end, (Number(pts) + Number(duration)) * (clocks.get(stream) ?? 0));
  }
  return end;
}

const unlessAborted =
  <T>(value: T, signal: AbortSignal) =>
  (error: unknown): T => {
    signal.throwIfAborted();
    if (!(error instanceof RejectedSource)) throw error;
    return value;
  };

const mapsOf = (streams: (number | string)[]) => streams.flatMap((it) => ['-map', `0:${it}`]);

/**
 * Duration in seconds, measured without decoding. Containers state a wrong duration, or none, or are truncated: reading the file once
 * finds this before hours of encoding do.
 */
async function measureDuration(context: ProbeContext, streams: (number | string)[], { seconds, side }: SourceLimits): Promise<number> {
  const input = ['-t', String(seconds * 10), ...inputOptions(SOURCE_INPUT, context.file, side)];
  const args = [...QUIET, '-progress', 'pipe:1', ...input, ...mapsOf(streams), '-c', 'copy', '-f', 'null', '-'];
  return outTime(await outputOf(context, [context.tools.ffmpeg, ...args], MEASURE_TIMEOUT_MS)) ?? 0;
}

async function outputOf(
  { tools, folder, signal }: ProbeContext,
  command: [program: string, ...args: string[]],
  timeoutMs: number,
  fileSize = 0,
): Promise<string> {
  let output = '';
  const until = Date.now() + timeoutMs;
  const options: RunOptions = {
    folder,
    signal,
    onOutput: (text) => (output = (output + text).slice(-MAX_CHARACTERS)),
    isStalled: () => Date.now() > until,
  };
  const ended = await inProgramSpan(command[0], () =>
    runProgram(isolatedCommand(tools.isolation, { ...LIMITS, fileSize }, command), options),
  );
  if (ended.code !== 0) throw rejectSource('unreadable', new Error(`${ended.exitSignal ?? ended.code}: ${ended.stderrTail}`));
  return output;
}
