import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';

export const FACTS = 'Photosynthesis turns light into sugar. Chlorophyll is green. Roots take up water from the ground.';
/** A model that knows the facts answers this in several sentences. */
export const ABOUT_FACTS = 'What do photosynthesis, chlorophyll and roots do?';
export const SPOKEN_TEXT = 'What does photosynthesis turn light into';

/** Speaks the text with the local synthesizer: 22,050 Hz, mono, PCM 16. */
export async function spoken(text: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'ai-question-'));
  try {
    const file = join(folder, 'question.wav');
    await promisify(execFile)(process.env['ESPEAK_PATH'] ?? 'espeak-ng', ['-w', file, text]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A unique picture: a PNG of random gray pixels. */
export function picture(size = 64): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 8;
  const rows = Array.from({ length: size }, () => Buffer.concat([Buffer.alloc(1), randomBytes(size)]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
