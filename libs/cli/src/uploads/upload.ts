import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../io.js';

const TUS = { 'tus-resumable': '1.0.0' };
/** Bytes of a request. The service stores parts of this size; it would have to put smaller ones together. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const MAX_FAILURES = 6;
/** Conflicts of offsets, locks and limits: the next attempt may succeed. Other refusals are final. */
const TEMPORARY = [409, 423, 429];

interface Options {
  size: number;
  /** Called with the share of the bytes that have arrived, up to 1. */
  sent: (share: number) => void;
  chunkBytes?: number;
  /** Milliseconds before the first retry; it doubles with each. */
  retryMs?: number;
}

/**
 * Sends a file to the address of an upload (tus 1.0). After a failure it continues at the offset that has arrived.
 * @throws CommandError if the upload is refused, or fails repeatedly
 */
export async function upload(path: string, url: string, { size, sent, chunkBytes = CHUNK_BYTES, retryMs = 500 }: Options): Promise<void> {
  const file = await open(path);
  const buffer = Buffer.alloc(Math.min(chunkBytes, size));
  try {
    for (let offset = 0, failures = 0; offset < size;) {
      try {
        if (failures > 0) offset = await request(url, { method: 'HEAD' });
        if (offset < size) {
          const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - offset), offset);
          if (bytesRead === 0)
            throw new CommandError(`${path} became shorter while it was sent`, 'Delete the video, and upload the file again.');
          offset = await append(url, offset, buffer.subarray(0, bytesRead));
        }
        failures = 0;
        sent(offset / size);
      } catch (error) {
        failures += 1;
        if (error instanceof CommandError) throw error;
        if (failures > MAX_FAILURES) throw gaveUp(path, error);
        await sleep(retryMs * 2 ** (failures - 1));
      }
    }
  } finally {
    await file.close();
  }
}

const append = (url: string, offset: number, body: Buffer<ArrayBuffer>): Promise<number> =>
  request(url, {
    method: 'PATCH',
    headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body,
  });

/** @returns how many bytes have arrived */
async function request(url: string, init: RequestInit): Promise<number> {
  const response = await fetch(url, { ...init, headers: { ...TUS, ...(init.headers as object) } });
  const { status } = response;
  await response.arrayBuffer();
  if (status >= 400 && status < 500 && !TEMPORARY.includes(status))
    throw new CommandError(`The upload was refused with HTTP ${status}`, 'Delete the video, and upload the file again.');
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN);
  if (!response.ok || !Number.isSafeInteger(offset)) throw new Error(`HTTP ${status}`);
  return offset;
}

function gaveUp(path: string, error: unknown): CommandError {
  const { cause, message } = error as Error;
  return new CommandError(
    `${path} could not be sent: ${cause instanceof Error ? cause.message : message}`,
    'Delete the video, and upload the file again.',
  );
}
