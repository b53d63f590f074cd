import type { MetadataValue } from '@tus/s3-store';
import type { KvStore } from '@tus/server';

const MAX_ENTRIES = 10_000;

/** Cache of the uploads' metadata, which never changes. The oldest entry is evicted first, and read again when it is needed. */
export class UploadCache implements KvStore<MetadataValue> {
  private readonly byKey = new Map<string, MetadataValue>();

  async get(key: string): Promise<MetadataValue | undefined> {
    return this.byKey.get(key);
  }

  async set(key: string, value: MetadataValue): Promise<void> {
    const [oldest] = this.byKey.keys();
    if (this.byKey.size >= MAX_ENTRIES && oldest !== undefined) this.byKey.delete(oldest);
    this.byKey.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.byKey.delete(key);
  }
}
