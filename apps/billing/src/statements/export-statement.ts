import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { billingRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { COMPILED_FOLDER } from '../compiled-folder.js';
import { GetStatement } from './read-statements.js';
import type { StatementJob } from './statement-worker.js';

/** Far above what the longest statement takes. */
const STALLED_MS = 30_000;

/** Writes statements as PDF files in a thread of its own: a long one takes a second, in which the process answers other calls. */
@Injectable()
export class StatementPrinter {
  private worker?: Worker;
  /** Statements that the thread has still to write. */
  private waiting = 0;
  private stalled?: NodeJS.Timeout;

  async print(job: Omit<StatementJob, 'port'>): Promise<Buffer> {
    const { port1, port2 } = new MessageChannel();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    port1.once('message', (answer: Uint8Array | Error) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    port1.once('close', () => reject(new Error('The thread that writes statements has ended')));
    this.thread().postMessage({ ...job, port: port2 }, [port2]);
    this.waiting += 1;
    if (this.waiting === 1) this.watch();
    try {
      const { buffer, byteOffset, byteLength } = await promise;
      return Buffer.from(buffer, byteOffset, byteLength);
    } finally {
      this.waiting -= 1;
      this.watch();
    }
  }

  /** Ends a thread that writes none of its statements for so long: they fail, and the next one starts another thread. */
  private watch(): void {
    clearTimeout(this.stalled);
    if (this.waiting > 0) this.stalled = setTimeout(() => void this.worker?.terminate(), STALLED_MS).unref();
  }

  /** The first statement starts it, and the first one after it has ended. It ends with the process. */
  private thread(): Worker {
    if (!this.worker) {
      const worker = new Worker(join(COMPILED_FOLDER, 'statements', 'statement-worker.js'));
      worker.unref();
      const forget = () => {
        if (this.worker === worker) this.worker = undefined;
      };
      // 'close' of each port follows.
      worker.once('error', forget);
      worker.once('exit', forget);
      this.worker = worker;
    }
    return this.worker;
  }
}

@Injectable()
export class ExportStatement {
  constructor(
    private readonly getStatement: GetStatement,
    private readonly printer: StatementPrinter,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(billingRpc.exportStatement)
  async execute(input: RpcInput<typeof billingRpc.exportStatement>): Promise<RpcOutput<typeof billingRpc.exportStatement>> {
    const { organizationId, statementId, name, language, inbox } = input;
    const statement = await this.getStatement.execute(organizationId, statementId);
    const { printer } = this;
    const { control } = this.streams.open(inbox, async function* () {
      const file = await printer.print({ statement, organization: name, language });
      yield file.toString('base64');
    });
    return { control, cycleStart: statement.cycleStart };
  }
}
