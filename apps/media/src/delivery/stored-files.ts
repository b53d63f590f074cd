import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { ObjectStorage, type ByteRange } from '@classroom/storage';
import { BoundedCache } from './bounded-cache.js';

const MIB = 1024 ** 2;
/** Playlists and segments; a larger object is passed on as it comes. */
const SMALL_BYTES = 4 * MIB;
const KEPT_BYTES = 64 * MIB;
const KEPT_HEADS = 20_000;

export interface StoredFile {
  size: number;
  lastModified: Date;
}

/** Objects that never change, the small ones from memory: a class of players asks for the same segments within seconds. */
@Injectable()
export class StoredFiles {
  private readonly heads = new BoundedCache<StoredFile>(KEPT_HEADS);
  private readonly bodies = new BoundedCache<Buffer>(KEPT_BYTES);
  private readonly loading = new Map<string, Promise<Buffer>>();

  constructor(private readonly storage: ObjectStorage) {}

  /** @throws AppError NOT_FOUND */
  async head(key: string): Promise<StoredFile> {
    const known = this.heads.get(key);
    if (known) return known;
    const head = await this.storage.head(key);
    if (!head) throw new AppError('NOT_FOUND');
    this.heads.set(key, head, 1);
    return head;
  }

  /** All of it, or a part. */
  async read(key: string, { size }: StoredFile, range?: Required<ByteRange>): Promise<Buffer | Readable> {
    if (size > SMALL_BYTES) return this.storage.read(key, range);
    const body = this.bodies.get(key) ?? (await this.load(key));
    return range ? body.subarray(range.start, range.end + 1) : body;
  }

  /** For what may be replaced. @throws AppError NOT_FOUND */
  async readNow(key: string): Promise<Buffer> {
    return buffer(await this.storage.read(key));
  }

  /** Once for all who ask meanwhile. */
  private load(key: string): Promise<Buffer> {
    const begun = this.loading.get(key);
    if (begun) return begun;
    const load = this.readNow(key)
      .then((body) => {
        this.bodies.set(key, body, body.length);
        return body;
      })
      .finally(() => this.loading.delete(key));
    this.loading.set(key, load);
    return load;
  }
}
