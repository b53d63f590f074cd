import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { ObjectStorage, type ByteRange } from '@classroom/storage';
import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';

const MIB = 1024 ** 2;
/**
 * Objects up to this size (playlists, segments) are read as a whole, larger ones in blocks: a paused viewer holds one block and no
 * connection to the storage.
 */
const SMALL_BYTES = 4 * MIB;
const BLOCK_BYTES = MIB / 2;
const CACHE_BYTES = 64 * MIB;
const CACHED_HEADS = 20_000;

export interface StoredFile {
  size: number;
  lastModified: Date;
}

/** Reads objects that never change. It caches the most recent ones, because a class of players requests the same within seconds. */
@Injectable()
export class StoredFiles {
  private readonly heads = new LRUCache<string, StoredFile>(atMost(CACHED_HEADS));
  private readonly blocks = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length || 1 });
  private readonly loading = new Map<string, Promise<Buffer>>();

  constructor(private readonly storage: ObjectStorage) {}

  /** @throws AppError NOT_FOUND */
  async head(key: string): Promise<StoredFile> {
    const cached = this.heads.get(key);
    if (cached) return cached;
    const head = await this.storage.head(key);
    if (!head) throw new AppError('NOT_FOUND');
    this.heads.set(key, head);
    return head;
  }

  /** Reads the whole object or a range. @throws AppError before the first byte; after it, the stream fails */
  async read(key: string, { size }: StoredFile, range?: Required<ByteRange>): Promise<Buffer | Readable> {
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (size <= SMALL_BYTES) return (await this.block(key, 0, size)).subarray(start, end + 1);
    await this.block(key, blockOf(start), size);
    // One block is read while another is sent to the client.
    return Readable.from(this.readRange(key, size, start, end), { highWaterMark: 1 });
  }

  /** Reads an object that may be replaced, without the cache. @throws AppError NOT_FOUND */
  async readUncached(key: string): Promise<Buffer> {
    return whole(await this.storage.read(key));
  }

  private async *readRange(key: string, size: number, start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = blockOf(start); at <= end; at += BLOCK_BYTES) {
      const block = await this.block(key, at, size);
      yield block.subarray(Math.max(0, start - at), end - at + 1);
    }
  }

  /** Concurrent requests for a block share one read. */
  private async block(key: string, at: number, size: number): Promise<Buffer> {
    const name = `${key}#${at}`;
    return this.blocks.get(name) ?? this.loading.get(name) ?? this.load(name, () => this.storage.read(key, rangeOf(at, size)));
  }

  private load(name: string, read: () => Promise<Readable>): Promise<Buffer> {
    const load = read()
      .then(whole)
      .then((block) => {
        this.blocks.set(name, block);
        return block;
      })
      .finally(() => this.loading.delete(name));
    this.loading.set(name, load);
    return load;
  }
}

const blockOf = (position: number) => position - (position % BLOCK_BYTES);
const rangeOf = (at: number, size: number) => (size <= SMALL_BYTES ? undefined : { start: at, end: Math.min(at + BLOCK_BYTES, size) - 1 });
const whole = async (stream: Readable) => Buffer.concat((await stream.toArray()) as Buffer[]);
