import { access, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProgramSpan, logger } from '@classroom/platform';
import { isolatedCommand, runProgram, type ResourceLimits, type RunOptions } from '@classroom/sandbox';
import type { ObjectStorage } from '@classroom/storage';
import type { Rendition, TranscodingResult } from '../schema/video.entity.js';
import { commandOf, INIT, PLAYLIST, POSTER, posterCommand, SINGLE_FILE } from './command.js';
import { codecsOf, durationOf, OutputUpload, peakBitrate, segmentsOf, withTargetDuration } from './output-upload.js';
import type { Plan, Variant } from './plan.js';
import { Progress } from './progress.js';
import { isTruncated } from './read-probe.js';
import { RejectedSource, rejectSource, type Source, type SourceLimits } from './source.js';
import type { Tools } from './transcoding-tools.js';

const GIB = 1024 ** 3;
const MACHINE_FAULT = /No space left on device|Disk quota exceeded|error while loading shared libraries|failed to execute/;

export interface FfmpegRun {
  tools: Tools;
  source: Source;
  plan: Plan;
  progress: Progress;
  /** The source, and ffmpeg's working folder. */
  file: string;
  folder: string;
  signal: AbortSignal;
  onProgress?: () => void;
}

/** @throws RejectedSource if the file is at fault, another error if this machine is, or the signal's reason */
async function runFfmpeg(args: string[], run: FfmpegRun): Promise<void> {
  const { tools, progress, folder, signal, onProgress } = run;
  const command = isolatedCommand(tools.isolation, await limitsOf(run), [tools.ffmpeg, ...args]);
  const options: RunOptions = {
    folder,
    signal,
    onOutput: (text) => {
      progress.read(text);
      onProgress?.();
    },
    isStalled: (processorSeconds) => progress.isStalled(processorSeconds),
  };
  const ended = await inProgramSpan(tools.ffmpeg, () => runProgram(command, options));
  const cause = new Error(`ffmpeg ended with ${ended.exitSignal ?? ended.code}: ${ended.stderrTail}`);
  if (ended.wasStalled) throw rejectSource('stalled', cause);
  if (ended.code === 0) return;
  throw MACHINE_FAULT.test(ended.stderrTail) ? cause : rejectSource('undecodable', cause);
}

/** Limits that are far above what a legitimate file needs. */
async function limitsOf({ source, plan, file }: FfmpegRun): Promise<ResourceLimits> {
  const { size } = await stat(file);
  const kbps = plan.variants.reduce((sum, { video, audioKbps = 0 }) => sum + (video?.kbps ?? 0) + audioKbps, 0);
  const fileSize = plan.isRemuxed ? 1.2 * size : 2 * source.duration * kbps * 125;
  return { memory: 8 * GIB, processorSeconds: 600 + 120 * source.duration, fileSize: fileSize + GIB / 4 };
}

const HEADER_BYTES = 1024 ** 2;

export interface OutputJob {
  tools: Tools;
  storage: ObjectStorage;
  /** The source, and the folder for the output. */
  file: string;
  folder: string;
  /** Prefix of the output in the bucket. */
  prefix: string;
  limits: SourceLimits;
  threads: number;
  signal: AbortSignal;
  onPercent: (percent: number) => void;
}

/** Makes everything from which a video is played, and uploads it. @throws RejectedSource, StorageUnreachable, or the signal's reason */
export async function makeOutput(source: Source, plan: Plan, job: OutputJob): Promise<TranscodingResult> {
  // ffmpeg and the upload run in parallel: the first one that fails ends the other.
  const abort = new AbortController();
  const builder = new OutputBuilder(source, plan, { ...job, signal: AbortSignal.any([job.signal, abort.signal]) });
  return builder.run((error) => abort.abort(error));
}

class OutputBuilder {
  private readonly upload: OutputUpload;
  private readonly progress: Progress;

  constructor(
    private readonly source: Source,
    private readonly plan: Plan,
    private readonly job: OutputJob,
  ) {
    this.upload = new OutputUpload(job.storage, job.folder, job.prefix, job.signal);
    this.progress = new Progress(Date.now, source.duration);
  }

  async run(abort: (error: unknown) => void): Promise<TranscodingResult> {
    const { source, plan, job } = this;
    const folders = plan.type === 'hls' ? plan.variants.map(({ name }) => name) : [];
    await Promise.all(folders.map((name) => mkdir(join(job.folder, name), { recursive: true })));
    await this.makeAndUpload(folders, abort);
    const poster = await this.poster();
    const output = plan.type === 'hls' ? await this.ladder(plan.variants) : await this.singleFile(plan.variants[0] as Variant);
    if (!(output.duration > 0)) throw rejectSource('undecodable');
    if (isTruncated(output.duration, source.duration)) throw rejectSource('truncated');
    const entry = plan.type === 'hls' ? 'master.m3u8' : SINGLE_FILE;
    const { bytes } = this.upload;
    const streams = { hasVideo: source.video !== undefined, hasAudio: source.audio !== undefined };
    return { type: plan.type, entry, ...output, bytes, ...streams, poster };
  }

  private async makeAndUpload(folders: string[], abort: (error: unknown) => void): Promise<void> {
    const done = new AbortController();
    const uploading = this.upload.follow(folders, done.signal);
    uploading.catch(abort);
    try {
      await this.encode();
    } catch (error) {
      abort(error);
      throw error;
    } finally {
      done.abort();
      // Also after a failure: the upload must not read a folder that has been deleted.
      await uploading.catch(() => undefined);
    }
    await uploading;
  }

  private async encode(): Promise<void> {
    const { source, plan, job } = this;
    const { canToneMap } = job.tools;
    try {
      await this.ffmpeg(commandOf(source, plan, { ...job, canToneMap }));
    } catch (error) {
      if (!(error instanceof RejectedSource) || !source.video?.hdr || !canToneMap) throw error;
      // Better wrong colours than no video.
      logger.info({ err: error }, 'HDR could not be converted; will encode its colours as they are');
      await this.ffmpeg(commandOf(source, plan, { ...job, canToneMap: false }));
    }
  }

  private async ladder(variants: Variant[]): Promise<Pick<TranscodingResult, 'duration' | 'renditions'>> {
    const { folder } = this.job;
    let duration = 0;
    const renditions: Rendition[] = [];
    for (const variant of variants) {
      const playlist = `${variant.name}/${PLAYLIST}`;
      const header = `${variant.name}/${INIT}`;
      const text = await readFile(join(folder, playlist), 'utf8').catch(() => '');
      const segments = segmentsOf(text);
      if (segments.length === 0) throw rejectSource('undecodable');
      await writeFile(join(folder, playlist), withTargetDuration(text));
      duration = durationOf(segments);
      renditions.push({
        ...sizeOf(variant),
        bandwidth: peakBitrate(segments, (name) => this.upload.sizeOf(`${variant.name}/${name}`)),
        codecs: codecsOf(await readFile(join(folder, header)), this.source.audio !== undefined),
        playlist,
      });
      await this.upload.all([header, playlist]);
    }
    return { duration, renditions };
  }

  private async singleFile(variant: Variant): Promise<Pick<TranscodingResult, 'duration' | 'renditions'>> {
    const file = join(this.job.folder, SINGLE_FILE);
    const { size } = await stat(file);
    const duration = this.progress.reached;
    const codecs = codecsOf(await head(file), this.source.audio !== undefined);
    await this.upload.all([SINGLE_FILE]);
    const bandwidth = Math.ceil((size * 8) / Math.max(duration, 0.1));
    return { duration, renditions: [{ ...sizeOf(variant), bandwidth, codecs, playlist: SINGLE_FILE }] };
  }

  /** Uploads the poster of the main run, otherwise tries to make one. Null without an error: a video plays without a poster. */
  private async poster(): Promise<string | null> {
    const { source, job } = this;
    const tries = source.video
      ? [source.duration / 10, 0].map((at) => [source.video?.index ?? 0, at] as const)
      : source.cover === undefined
        ? []
        : [[source.cover, 0] as const];
    const exists = () =>
      access(join(job.folder, POSTER)).then(
        () => true,
        () => false,
      );
    for (const [index, at] of tries) {
      if (await exists()) break;
      await runFfmpeg(posterCommand(index, at, job), { ...job, source, plan: this.plan, progress: new Progress(Date.now, 1) }).catch(
        (error: unknown) => {
          job.signal.throwIfAborted();
          logger.info({ err: error }, 'poster image could not be created');
        },
      );
    }
    if (!(await exists())) return null;
    await this.upload.all([POSTER]);
    return POSTER;
  }

  private async ffmpeg(args: string[]): Promise<void> {
    const { source, plan, job, progress } = this;
    await runFfmpeg(args, { ...job, source, plan, progress, onProgress: () => job.onPercent(progress.percent) });
  }
}

const sizeOf = ({ video }: Variant) => ({ width: video?.width ?? 0, height: video?.height ?? 0 });

async function head(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
