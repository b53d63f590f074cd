import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Command } from 'commander';
import { CommandError } from '../io.js';

/** Where files are saved. */
export interface Destination {
  out: string;
  force?: boolean;
}

/** Adds `--out` and `--force`. */
export const saving = (command: Command): Command =>
  command.option('--out <folder>', 'folder for the files', '.').option('--force', 'replace files that exist');

interface Content {
  filename: string;
  /** Called when it is known that the file may be written. */
  open: () => Promise<Readable>;
  /** In hexadecimal: a file with another sum is not kept. */
  sha256?: string | null;
}

/** Writes into the folder alone, whatever the file is called. The file gets its name when it is complete. */
export async function saveFile({ filename, open, sha256 }: Content, { out, force }: Destination): Promise<{ file: string; size: number }> {
  mkdirSync(out, { recursive: true });
  const file = join(out, basename(filename));
  if (existsSync(file) && !force) throw new CommandError(`${file} exists`, 'Give --force to replace it, or another folder with --out.');
  const content = await open();
  const partial = `${file}.part`;
  const sum = createHash('sha256');
  try {
    content.on('data', (part: Buffer) => sum.update(part));
    await pipeline(content, createWriteStream(partial));
    if (sha256 && sum.digest('hex') !== sha256)
      throw new CommandError(`${filename} is damaged: its SHA-256 differs`, 'Repeat the command.');
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  return { file, size: statSync(file).size };
}

/** @throws CommandError if the storage refuses the address */
export async function openUrl(url: string, filename: string): Promise<Readable> {
  const response = await fetch(url);
  if (!response.ok || !response.body)
    throw new CommandError(
      `The storage answered HTTP ${response.status} for ${filename}`,
      'Repeat the command: a link is valid for a limited time.',
    );
  return Readable.fromWeb(response.body as ReadableStream);
}
