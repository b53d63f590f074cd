import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { ExportedCount, ExportRecord } from '@classroom/contracts';
import { ZipFile } from 'yazl';

interface ArchivedFile extends ExportedCount {
  path: string;
  bytes: number;
  sha256: string;
}

interface OpenFile {
  service: string;
  store: string;
  stream: PassThrough;
  hash: Hash;
  count: number;
  bytes: number;
}

interface ArchiveOptions {
  at: Date;
  /** For files of more than 4 GiB, which older programs cannot read. */
  isLarge: boolean;
  /** Ends a wait for the reader of `body`. */
  signal: AbortSignal;
}

/** A ZIP file with a file of JSON lines for each service and store, made while it is read. It holds no more than the buffers of its streams. */
export class ExportArchive {
  /** The bytes of the ZIP file. */
  readonly body: Readable;
  readonly files: ArchivedFile[] = [];
  private readonly zip = new ZipFile();
  private readonly hash = createHash('sha256');
  private size = 0;
  private open: OpenFile | undefined;

  constructor(private readonly options: ArchiveOptions) {
    this.body = Readable.from(this.measured(), { objectMode: false });
    const fail = (error: Error) => this.body.destroy(error);
    this.zip.on('error', fail);
    this.zip.outputStream.on('error', fail);
  }

  /** Size and SHA-256 of the whole file, once `body` has been read. */
  get measure(): { bytes: number; sha256: string } {
    return { bytes: this.size, sha256: this.hash.copy().digest('hex') };
  }

  /** Appends records of a service. Records of one store must follow each other. */
  async add(service: string, records: readonly ExportRecord[]): Promise<void> {
    for (let from = 0; from < records.length;) {
      const { store } = records[from] as ExportRecord;
      const other = records.findIndex((record, index) => index > from && record.store !== store);
      const through = other < 0 ? records.length : other;
      const lines = records.slice(from, through).map(({ data }) => `${JSON.stringify(data)}\n`);
      await this.write(this.fileOf(service, store), lines);
      from = through;
    }
  }

  /** Adds the manifest, which lists the files, and ends the archive. */
  finish(manifest: object): void {
    this.close();
    const files = this.files.map(({ path, count, bytes, sha256 }) => ({ path, records: count, bytes, sha256 }));
    this.zip.addBuffer(Buffer.from(`${JSON.stringify({ ...manifest, files }, null, 2)}\n`), 'manifest.json', this.entryOptions);
    this.zip.end();
  }

  private fileOf(service: string, store: string): OpenFile {
    if (this.open?.service === service && this.open.store === store) return this.open;
    this.close();
    this.open = { service, store, stream: new PassThrough(), hash: createHash('sha256'), count: 0, bytes: 0 };
    this.zip.addReadStream(this.open.stream, `${service}/${store}.jsonl`, this.entryOptions);
    return this.open;
  }

  private async write(file: OpenFile, lines: readonly string[]): Promise<void> {
    const chunk = Buffer.from(lines.join(''));
    file.hash.update(chunk);
    file.bytes += chunk.length;
    file.count += lines.length;
    this.options.signal.throwIfAborted();
    if (!file.stream.write(chunk)) await once(file.stream, 'drain', { signal: this.options.signal });
  }

  private close(): void {
    if (!this.open) return;
    const { service, store, stream, hash, count, bytes } = this.open;
    stream.end();
    this.files.push({ service, store, path: `${service}/${store}.jsonl`, count, bytes, sha256: hash.digest('hex') });
    this.open = undefined;
  }

  private async *measured(): AsyncGenerator<Buffer> {
    for await (const chunk of this.zip.outputStream as unknown as AsyncIterable<Buffer>) {
      this.hash.update(chunk);
      this.size += chunk.length;
      yield chunk;
    }
  }

  private get entryOptions() {
    return { mtime: this.options.at, forceZip64Format: this.options.isLarge };
  }
}
