import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import { COMPILED_FOLDER } from '../compiled-folder.js';
import type { GatewayConfig } from '../config.js';
import type { StatementJob } from './statement-worker.js';

/** Writes statements as PDF files in a thread of its own: a long one takes a second, in which the gateway answers other requests. */
@Injectable()
export class StatementPrinter {
  private worker?: Worker;

  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'FONTS_FOLDER'>) {}

  async print(job: Omit<StatementJob, 'port'>): Promise<Buffer> {
    const { port1, port2 } = new MessageChannel();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    port1.once('message', (answer: Uint8Array | Error) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    port1.once('close', () => reject(new Error('The thread that writes statements has ended')));
    this.thread().postMessage({ ...job, port: port2 }, [port2]);
    const { buffer, byteOffset, byteLength } = await promise;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** The first statement starts it, and the first one after it has ended. It ends with the process. */
  private thread(): Worker {
    if (!this.worker) {
      const worker = new Worker(join(COMPILED_FOLDER, 'billing', 'statement-worker.js'), { workerData: this.config.FONTS_FOLDER });
      worker.unref();
      // 'close' of each port follows.
      worker.once('error', () => (this.worker = undefined));
      worker.once('exit', () => (this.worker = undefined));
      this.worker = worker;
    }
    return this.worker;
  }
}
