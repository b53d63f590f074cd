import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, boardRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { NATS, readTextStream, RpcClient, RpcServer, startingWith, TextStreams } from '@classroom/messaging';
import { InBackground, ShutdownDeadline, type Task } from '@classroom/platform';
import { WorkFolders } from '../transcoding/work-folders.js';
import { BoardTools, type BoardPrograms } from './board-tools.js';
import { WriteBoardFile } from './write-board-file.js';

interface Waiting {
  organizationId: string;
  begin: () => void;
}

/** Bounds what is done at the same time, with one turn of each organization at most. After its turn an organization is last in line. */
export class BoardLine {
  private readonly running = new Set<string>();
  private waiting: Waiting[] = [];

  constructor(private readonly limits: { parallel: number; waitingPerOrganization: number }) {}

  /** Does `work` in its turn. @throws AppError RATE_LIMITED if too many of the organization wait, or the signal's reason */
  async inTurn<T>(organizationId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.turn(organizationId, signal);
    try {
      return await work();
    } finally {
      this.running.delete(organizationId);
      const isOwn = (it: Waiting) => it.organizationId === organizationId;
      this.waiting = [...this.waiting.filter((it) => !isOwn(it)), ...this.waiting.filter(isOwn)];
      this.next();
    }
  }

  private async turn(organizationId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.waiting.filter((it) => it.organizationId === organizationId).length >= this.limits.waitingPerOrganization)
      throw new AppError('RATE_LIMITED', { message: 'Too many boards of the organization are being made files' });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = { organizationId, begin: resolve };
    this.waiting.push(own);
    const leave = () => {
      const at = this.waiting.indexOf(own);
      if (at >= 0) this.waiting.splice(at, 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.next();
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  private next(): void {
    while (this.running.size < this.limits.parallel) {
      const at = this.waiting.findIndex(({ organizationId }) => !this.running.has(organizationId));
      const [first] = at < 0 ? [] : this.waiting.splice(at, 1);
      if (!first) return;
      this.running.add(first.organizationId);
      first.begin();
    }
  }
}

/** Files that a process makes at the same time, at most one of each organization. */
const PARALLEL = 3;
const WAITING_PER_ORGANIZATION = 8;
/** How long a file waits for its turn, in milliseconds. */
const WAIT_MS = 60_000;
/** For the process to remove the folders of files that it no longer makes, in milliseconds. */
const END_MS = 5_000;
/** Their base64 is a frame of the stream. */
const CHUNK_BYTES = 24 * 1024;

type Input = RpcInput<typeof boardRpc.file>;

/** Answers with the board as a file. It is the worker's, whose role otherwise answers no calls: such a file is made of files of strangers. */
@Injectable()
@InBackground()
export class DrawBoards implements Task {
  private readonly line = new BoardLine({ parallel: PARALLEL, waitingPerOrganization: WAITING_PER_ORGANIZATION });
  private subscription: Subscription | undefined;
  private readonly running = new Map<AbortController, Promise<unknown>>();

  constructor(
    @Inject(NATS) private readonly connection: NatsConnection,
    private readonly rpc: RpcClient,
    private readonly server: RpcServer,
    private readonly streams: TextStreams,
    private readonly grace: ShutdownDeadline,
    private readonly folders: WorkFolders,
    private readonly tools: BoardTools,
    private readonly writeBoardFile: WriteBoardFile,
  ) {}

  start(): void {
    void this.folders.ready();
    this.subscription = this.server.serve(boardRpc.file, (input) => this.answer(input));
  }

  /** Files in progress are made, as far as the time suffices. */
  async stop(): Promise<void> {
    this.subscription?.unsubscribe();
    await Promise.race([this.settled(), sleep(this.grace.remaining(END_MS), undefined, { ref: false })]);
    for (const ending of this.running.keys()) ending.abort(new AppError('SERVICE_UNAVAILABLE'));
    await this.settled();
  }

  /** @throws AppError ROOM_NOT_FOUND, BOARD_PAGE_NOT_FOUND, SERVICE_UNAVAILABLE */
  private async answer(input: Input): Promise<RpcOutput<typeof boardRpc.file>> {
    const programs = await this.tools.programs();
    const { inbox, ...order } = input;
    const ending = new AbortController();
    const frames = readTextStream(
      this.connection,
      async (own) => (await this.rpc.call(boardRpc.drawings, { ...order, inbox: own })).control,
      ending.signal,
    );
    // The first page is read before the answer, so that an unknown room is an ordinary error.
    const first = await frames.next();
    return this.streams.open(inbox, (gone) => {
      gone.addEventListener('abort', () => ending.abort(gone.reason), { once: true });
      return this.fileOf(order, programs, startingWith(first, frames), ending);
    });
  }

  private async *fileOf(
    order: Omit<Input, 'inbox'>,
    programs: BoardPrograms,
    frames: AsyncGenerator<Uint8Array>,
    ending: AbortController,
  ): AsyncGenerator<string> {
    const { signal } = ending;
    const late = setTimeout(() => ending.abort(new AppError('SERVICE_UNAVAILABLE', { message: BUSY })), WAIT_MS);
    const making = this.line.inTurn(order.organizationId, signal, () => {
      clearTimeout(late);
      return this.writeBoardFile.execute(order, programs, frames, signal);
    });
    this.running.set(
      ending,
      making.catch(() => undefined).finally(() => this.running.delete(ending)),
    );
    try {
      const file = await making;
      try {
        for (;;) {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES);
          if (bytesRead === 0) return;
          yield buffer.toString('base64', 0, bytesRead);
        }
      } finally {
        await file.close();
      }
    } finally {
      clearTimeout(late);
      await frames.return(undefined);
    }
  }

  private async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }
}

const BUSY = 'Other boards are being made files; try again shortly';
