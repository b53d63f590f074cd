import { inProgramSpan } from '@classroom/platform';
import { confined, inputOptions, runProgram, type RunOptions } from '@classroom/sandbox';
import type { Tools } from '../transcoding-tools.js';
import { outTime } from '../output/progress.js';
import { refuse } from '../refused-source.js';
import { SOURCE_INPUT } from './allowed-input.js';
import { checkDuration, isCutShort, readProbe } from './read-probe.js';
import type { Picture, Sound, Source, SourceLimits } from './source.js';

/** Long enough for a machine that does ten other things. LIMITS bounds what the program may use. */
const LOOK_MS = 5 * 60_000;
const MEASURE_MS = 30 * 60_000;
const LIMITS = { memory: 2 * 1024 ** 3, processorSeconds: 120, fileSize: 0 };
const MOST_CHARACTERS = 4 * 1024 ** 2;
const SHOWN = [
  'format=format_name,nb_streams,duration,start_time,size',
  'stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,field_order,color_transfer,r_frame_rate,avg_frame_rate,channels,nb_frames,start_time,duration',
  'stream_disposition=default,attached_pic',
  'stream_side_data=rotation',
];

interface Place {
  tools: Tools;
  file: string;
  folder: string;
  signal: AbortSignal;
}

/** Inspects the file. @throws RefusedSource if it is not accepted, or the signal's reason */
export async function probeSource(place: Place, limits: SourceLimits): Promise<Source> {
  const args = ['-v', 'error', '-of', 'json', '-show_entries', SHOWN.join(':'), ...inputOptions(SOURCE_INPUT, place.file, limits.side)];
  const { isBelievable, isComplete, ...told } = readProbe(await listen(place, [place.tools.ffprobe, ...args], LOOK_MS), limits);
  if (isBelievable) checkDuration(told.duration, limits);
  const { picture, sound } = told;
  const lengthOf = (...streams: (Picture | Sound | undefined)[]) =>
    measured(
      place,
      streams.flatMap((it) => it?.index ?? []),
      limits,
    );
  const duration = await lengthOf(picture, sound);
  checkDuration(duration, limits);
  if (isBelievable && isCutShort(duration, told.duration)) throw refuse('cutShort');
  if (!picture || isComplete) return { ...told, duration };
  return { ...told, duration, picture: { ...picture, endsAt: await lengthOf(picture) } };
}

/**
 * Duration in seconds, measured without decoding. Containers state a wrong duration, or none, or are truncated: reading the file once
 * finds this before hours of encoding do.
 */
async function measured(place: Place, streams: number[], { seconds, side }: SourceLimits): Promise<number> {
  const quiet = ['-nostdin', '-v', 'error', '-nostats', '-progress', 'pipe:1'];
  const maps = streams.flatMap((index) => ['-map', `0:${index}`]);
  const args = [
    ...quiet,
    '-t',
    String(seconds * 10),
    ...inputOptions(SOURCE_INPUT, place.file, side),
    ...maps,
    '-c',
    'copy',
    '-f',
    'null',
    '-',
  ];
  return outTime(await listen(place, [place.tools.ffmpeg, ...args], MEASURE_MS)) ?? 0;
}

async function listen(
  { tools, folder, signal }: Place,
  command: [program: string, ...args: string[]],
  patienceMs: number,
): Promise<string> {
  let said = '';
  const until = Date.now() + patienceMs;
  const options: RunOptions = {
    folder,
    signal,
    onOutput: (text) => (said = (said + text).slice(-MOST_CHARACTERS)),
    isStuck: () => Date.now() > until,
  };
  const ended = await inProgramSpan(command[0], () => runProgram(confined(tools.walls, LIMITS, command), options));
  if (ended.code !== 0) throw refuse('unreadable', new Error(`${ended.endedBy ?? ended.code}: ${ended.complaint}`));
  return said;
}
