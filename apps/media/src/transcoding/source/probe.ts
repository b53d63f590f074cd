import { inProgramSpan } from '@classroom/platform';
import { isolatedCommand, inputOptions, probeOptions, runProgram, type RunOptions } from '@classroom/sandbox';
import type { Tools } from '../transcoding-tools.js';
import { outTime } from '../output/progress.js';
import { rejectSource } from '../rejected-source.js';
import { SOURCE_INPUT } from './allowed-input.js';
import { checkDuration, isTruncated, readProbe } from './read-probe.js';
import type { VideoStream, AudioStream, Source, SourceLimits } from './source.js';

/** Long enough for a machine that does ten other things. LIMITS bounds what the program may use. */
const PROBE_TIMEOUT_MS = 5 * 60_000;
const MEASURE_TIMEOUT_MS = 30 * 60_000;
const LIMITS = { memory: 2 * 1024 ** 3, processorSeconds: 120, fileSize: 0 };
const MAX_CHARACTERS = 4 * 1024 ** 2;
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
  const { decoders } = context.tools;
  const args = [
    '-v',
    'error',
    '-of',
    'json',
    '-show_entries',
    SHOWN_ENTRIES.join(':'),
    ...probeOptions(SOURCE_INPUT, context.file, limits.side, decoders.keys()),
  ];
  const allowed = new Set(SOURCE_INPUT.decoders.flatMap((name) => decoders.get(name) ?? []));
  const { isDurationPlausible, hasVideoEnd, ...stated } = readProbe(
    await outputOf(context, [context.tools.ffprobe, ...args], PROBE_TIMEOUT_MS),
    limits,
    allowed,
  );
  if (isDurationPlausible) checkDuration(stated.duration, limits);
  const { video, audio } = stated;
  const durationOf = (...streams: (VideoStream | AudioStream | undefined)[]) =>
    measureDuration(
      context,
      streams.flatMap((it) => it?.index ?? []),
      limits,
    );
  const duration = await durationOf(video, audio);
  checkDuration(duration, limits);
  if (isDurationPlausible && isTruncated(duration, stated.duration)) throw rejectSource('truncated');
  if (!video || hasVideoEnd) return { ...stated, duration };
  return { ...stated, duration, video: { ...video, endsAt: await durationOf(video) } };
}

/**
 * Duration in seconds, measured without decoding. Containers state a wrong duration, or none, or are truncated: reading the file once
 * finds this before hours of encoding do.
 */
async function measureDuration(context: ProbeContext, streams: number[], { seconds, side }: SourceLimits): Promise<number> {
  const quiet = ['-nostdin', '-v', 'error', '-nostats', '-progress', 'pipe:1'];
  const maps = streams.flatMap((index) => ['-map', `0:${index}`]);
  const args = [
    ...quiet,
    '-t',
    String(seconds * 10),
    ...inputOptions(SOURCE_INPUT, context.file, side),
    ...maps,
    '-c',
    'copy',
    '-f',
    'null',
    '-',
  ];
  return outTime(await outputOf(context, [context.tools.ffmpeg, ...args], MEASURE_TIMEOUT_MS)) ?? 0;
}

async function outputOf(
  { tools, folder, signal }: ProbeContext,
  command: [program: string, ...args: string[]],
  timeoutMs: number,
): Promise<string> {
  let output = '';
  const until = Date.now() + timeoutMs;
  const options: RunOptions = {
    folder,
    signal,
    onOutput: (text) => (output = (output + text).slice(-MAX_CHARACTERS)),
    isStalled: () => Date.now() > until,
  };
  const ended = await inProgramSpan(command[0], () => runProgram(isolatedCommand(tools.isolation, LIMITS, command), options));
  if (ended.code !== 0) throw rejectSource('unreadable', new Error(`${ended.exitSignal ?? ended.code}: ${ended.stderrTail}`));
  return output;
}
