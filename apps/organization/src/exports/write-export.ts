import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { exportRpc, isUnavailable, type ExportPage, type ExportPageRequest } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { ExportArchive } from './export-archive.js';
import { ExportedRepository } from './exported.repository.js';
import { ASKED, folderOf, keyOf } from './request-export.js';
import type { ExportAttempt, ExportedFile } from './exports.repository.js';

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
