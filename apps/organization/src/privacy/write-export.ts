import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  exportRpc,
  isUnavailable,
  type ExportedCount,
  type ExportPage,
  type ExportPageRequest,
  type ExportRecord,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { ZipFile } from 'yazl';
import { ExportedRepository } from './exported.repository.js';
import type { ExportAttempt, ExportedFile } from './exports.repository.js';
import { ASKED, folderOf, keyOf } from './request-export.js';

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
class ExportArchive {
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

const RETRY_MS = 1_000;
/** How long a service may be unreachable before the attempt ends. The next one begins with the first service. */
const MAX_WAIT_MS = 600_000;

const README =
  'Each file <service>/<store>.jsonl has one JSON object a line. A store without data has no file. Recordings and videos themselves are downloaded by their own API; API keys, secrets and passwords are in no export.';

/** Makes the file of an export: reads each service page by page, and uploads the archive while it is made. */
@Injectable()
export class WriteExport {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly own: ExportedRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The object exists when this resolves, and does not if it throws, except after a crash.
   * @param signal ends the attempt; its reason is thrown
   * @param onCollected called when a service has answered with its last page
   */
  async execute(attempt: ExportAttempt, signal: AbortSignal, onCollected: (service: string) => void): Promise<ExportedFile> {
    await this.deleteEarlier(attempt);
    const failed = new AbortController();
    const over = AbortSignal.any([signal, failed.signal]);
    const archive = new ExportArchive({ at: this.clock.now(), isLarge: 'organization' in attempt.subject, signal: over });
    const end = (error: unknown) => failed.abort(error);
    const work = [
      this.storage.upload(keyOf(attempt), archive.body, { contentType: 'application/zip', signal: over }),
      this.collect(attempt, archive, over, onCollected),
    ];
    // When one of them fails, the other one ends too: nothing is written after this method has thrown.
    await Promise.allSettled(work.map((one) => one.catch(end)));
    over.throwIfAborted();
    return { ...archive.measure, stores: archive.files.map(({ service, store, count }) => ({ service, store, count })) };
  }

  /** What workers left behind that were killed. */
  private async deleteEarlier(attempt: ExportAttempt): Promise<void> {
    if (attempt.attempt === 1) return;
    await this.storage.deletePrefix(folderOf(attempt));
    await this.storage.abortUploads(folderOf(attempt));
  }

  private async collect(
    { exportId, organizationId, subject, requestedAt }: ExportAttempt,
    archive: ExportArchive,
    signal: AbortSignal,
    onCollected: (service: string) => void,
  ): Promise<void> {
    const createdAt = this.clock.now();
    const readAll = async (service: string, read: (request: ExportPageRequest) => Promise<ExportPage>) => {
      let cursor: string | null = null;
      do {
        const request: ExportPageRequest = { organizationId, subject, cursor };
        const page = await retrying(() => read(request), signal);
        await archive.add(service, page.records);
        await failpoint('organization.export.after-page');
        cursor = page.next;
      } while (cursor !== null);
      onCollected(service);
    };
    for (const service of ASKED) await readAll(service, (request) => this.rpc.call(exportRpc[service], request));
    await readAll('organization', (request) => this.own.page(request));
    archive.finish({
      exportId,
      subject,
      requestedAt: requestedAt.toISOString(),
      createdAt: createdAt.toISOString(),
      readme: README,
    });
  }
}

/** Repeats a read while the service is unreachable. The archive stays open meanwhile. */
async function retrying<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await read();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) throw error;
      await pause(RETRY_MS, undefined, { signal });
    }
  }
}
