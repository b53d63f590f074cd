import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { MergeJob } from '@classroom/contracts';
import { inSpan } from '@classroom/platform';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { RecordingFile } from '../state/progress.js';
import { makeFile } from './make-file.js';
import { MediaPrograms } from './media-programs.js';

/** Milliseconds for the download of one part. */
const DOWNLOAD_TIMEOUT_MS = 15 * 60_000;

/** Picture and sound are copied. The list names files of its own folder only. */
const INPUT = '-protocol_whitelist file -f concat -safe 1'.split(' ');
const OUTPUT = '-map 0 -c copy -movflags +faststart -f mp4'.split(' ');

/** Makes one file of several that recorders made with the same options. */
@Injectable()
export class FileMerger {
  constructor(private readonly programs: MediaPrograms) {}

  /** @throws if a part is unreachable, or the parts do not fit together */
  merge(folder: CaptureFolder, parts: MergeJob['parts']): Promise<RecordingFile> {
    return inSpan('merge files', { attributes: { 'recording.parts': parts.length } }, async () => {
      const list = join(folder.path, 'parts.txt');
      const names = parts.map((_, index) => `part-${index + 1}.mp4`);
      try {
        for (const [index, part] of parts.entries()) await download(part, join(folder.path, names[index] ?? ''));
        await writeFile(list, names.map((name) => `file '${name}'\n`).join(''), { mode: 0o600 });
        return await makeFile(this.programs, folder, [...INPUT, '-i', list, ...OUTPUT]);
      } finally {
        await Promise.all([list, ...names.map((name) => join(folder.path, name))].map((file) => rm(file, { force: true })));
      }
    });
  }
}

async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS), redirect: 'error' });
  if (!response.ok || !response.body) throw new Error(`the storage answered ${response.status} for a part`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path, { mode: 0o600 }));
}
