import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { MergeJob } from '@classroom/contracts';
import { CONFIG, inSpan } from '@classroom/platform';
import type { RecorderConfig } from '../config.js';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { RecordingFile } from '../state/progress.js';
import { readProbe } from './probe.js';
import { runProgram } from './run-program.js';

/** Milliseconds for the download of one part. */
const DOWNLOAD_TIMEOUT_MS = 15 * 60_000;

/** Picture and sound are copied. The list names files of its own folder only. */
const INPUT = '-protocol_whitelist file -f concat -safe 1'.split(' ');
const OUTPUT = '-map 0 -c copy -movflags +faststart -f mp4'.split(' ');

/** Makes one file of several that recorders made with the same options. */
@Injectable()
export class FileMerger {
  constructor(@Inject(CONFIG) private readonly config: Pick<RecorderConfig, 'FFMPEG_PATH' | 'FFPROBE_PATH'>) {}

  /** @throws if a part is unreachable, or the parts do not fit together */
  merge({ job, filePath }: CaptureFolder, parts: MergeJob['parts']): Promise<RecordingFile> {
    return inSpan('merge files', { attributes: { 'recording.parts': parts.length } }, async () => {
      const folder = dirname(filePath);
      const names = parts.map((_, index) => `part-${index + 1}.mp4`);
      const list = join(folder, 'parts.txt');
      const partial = `${filePath}.part`;
      try {
        for (const [index, part] of parts.entries()) await download(part, join(folder, names[index] ?? ''));
        await writeFile(list, names.map((name) => `file '${name}'\n`).join(''), { mode: 0o600 });
        await runProgram(this.config.FFMPEG_PATH, ['-nostdin', '-v', 'error', '-y', ...INPUT, '-i', list, ...OUTPUT, partial]);
        const probe = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', partial];
        const file = readProbe(await runProgram(this.config.FFPROBE_PATH, probe), job.audioOnly);
        await rename(partial, filePath);
        return file;
      } finally {
        await Promise.all([list, partial, ...names.map((name) => join(folder, name))].map((file) => rm(file, { force: true })));
      }
    });
  }
}

async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS), redirect: 'error' });
  if (!response.ok || !response.body) throw new Error(`the storage answered ${response.status} for a part`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path, { mode: 0o600 }));
}
