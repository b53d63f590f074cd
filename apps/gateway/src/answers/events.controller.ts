import { Readable } from 'node:stream';
import { Controller, Inject, Injectable, Req, Res } from '@nestjs/common';
import {
  AppError,
  eventPosition,
  eventsAppendedSubject,
  invalidField,
  isUnavailable,
  listEvents,
  streamEvents,
  type EndpointInput,
  type Organization,
  type PublicEvent,
  type PublicEventType,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { OrganizationCaller } from '../authentication/organization-caller.js';
import { SignedCallers } from '../authentication/authentication.js';
import { DisconnectSignal, CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { authorize, Drain } from '../http/lifecycle.js';
import { EventStreamLimit, whenDone } from '../limits/in-progress-limit.js';

type HistoryPage = RpcOutput<typeof listEvents>;

/** Reads pages of an organization's history for a request, also long after its handler began. */
@Injectable()
export class HistoryReader {
  constructor(
    private readonly rpc: RpcClient,
    private readonly callers: SignedCallers,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE */
  read(request: FastifyRequest, page: RpcRequest<typeof listEvents>): Promise<HistoryPage> {
    // A stream is resumed by its socket, whose asynchronous context is not the request's.
    return new Promise((resolve, reject) => {
      this.callers.run(request, () => void this.rpc.call(listEvents, page).then(resolve, reject));
    });
  }
}

/** Waits for hints that an organization's history has new events. */
class AppendedHint {
  private isPending = false;
  private wake: () => void = () => undefined;
  private readonly subscription: Subscription;

  constructor(connection: NatsConnection, organizationId: string) {
    const callback = () => {
      this.isPending = true;
      this.wake();
    };
    this.subscription = connection.subscribe(eventsAppendedSubject(organizationId), { callback });
  }

  /** Resolves at a hint since the last call, after `ms` milliseconds or when the signal fires. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isPending && !signal.aborted) await this.arrival(ms, signal);
    this.isPending = false;
  }

  end(): void {
    this.subscription.unsubscribe();
  }

  private async arrival(ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', this.wake, { once: true });
    });
    clearTimeout(timer);
    signal.removeEventListener('abort', this.wake);
  }
}

/** Milliseconds after which a client connects again. */
const RETRY_MS = 1_000;

/** Events that the client may not have and that are not sent, by the first and the last sequence. */
interface Gap {
  from: number;
  to: number;
}

/** The part of the history after `after` that is no longer kept; all of it, if it is another history than the one of `after`, which was longer. */
function gapAfter(after: number, { earliestSequence, lastSequence }: HistoryPage): Gap | undefined {
  if (after > lastSequence) return { from: 1, to: lastSequence };
  const earliest = earliestSequence ?? lastSequence + 1;
  return after + 1 < earliest ? { from: after + 1, to: earliest - 1 } : undefined;
}

/** Each part has an `id`, from which a client continues: also one that received no event yet, or none of the types it wants. */
const partOf = (id: number, ...lines: string[]) => [...lines, `id: ${id}`, '', ''].join('\n');

const openingText = (id: number) => partOf(id, `retry: ${RETRY_MS}`);
const heartbeatText = (id: number) => partOf(id, ': heartbeat');
const gapText = (gap: Gap) => partOf(gap.to, 'event: gap', `data: ${JSON.stringify(gap)}`);
const eventText = (event: PublicEvent) => partOf(event.sequence, `event: ${event.type}`, `data: ${JSON.stringify(event)}`);

const PAGE_SIZE = 100;
/** Milliseconds until the history is read without a hint. */
const POLL_MS = 5_000;
/** Milliseconds of silence: proxies close a connection that is silent for a minute. */
const HEARTBEAT_MS = 15_000;

interface StreamedHistory {
  organizationId: string;
  /** Undefined: all. */
  types: PublicEventType[] | undefined;
  after: number;
}

/** Reads a history by sequence, page after page, and then its new events. It holds one page at most. */
@Injectable()
export class FollowHistory {
  constructor(
    private readonly history: HistoryReader,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  /** Yields server-sent events until the signal fires. The next page is read when the client has taken the one before. */
  async *text(request: FastifyRequest, { organizationId, types, after }: StreamedHistory, signal: AbortSignal): AsyncGenerator<string> {
    // Before the first read, so that no hint is missed.
    const hint = new AppendedHint(this.connection, organizationId);
    let cursor = after;
    let sentAt = performance.now();
    try {
      yield openingText(cursor);
      while (!signal.aborted) {
        const page = await this.read(request, { organizationId, types, after: cursor });
        const gap = page && gapAfter(cursor, page);
        if (gap) yield gapText(gap);
        for (const event of page?.events ?? []) yield eventText(event);
        if (gap || page?.events.length) sentAt = performance.now();
        if (page) cursor = Number(page.nextCursor);
        if (page?.hasMore) continue;
        if (performance.now() - sentAt >= HEARTBEAT_MS) {
          yield heartbeatText(cursor);
          sentAt = performance.now();
        }
        await hint.next(POLL_MS, signal);
      }
    } finally {
      hint.end();
    }
  }

  /** Undefined if the service cannot answer now: the stream stays open and reads again. */
  private async read(request: FastifyRequest, from: StreamedHistory): Promise<HistoryPage | undefined> {
    try {
      return await this.history.read(request, { ...from, limit: PAGE_SIZE, mayBeAhead: true });
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }
}

/** Milliseconds between two checks. A revoked credential is dropped from the caches at once, and after 30 s if its event is lost. */
const CHECK_MS = 5_000;

/** Authenticates the caller of a long answer again and again: their credential may expire or be revoked meanwhile. */
@Injectable()
export class PermissionWatch {
  constructor(private readonly callers: OrganizationCaller) {}

  /** @returns a signal that fires when the caller may no longer make the request. The watch ends with `done`. */
  watch(request: FastifyRequest, done: AbortSignal): AbortSignal {
    const refused = new AbortController();
    if (done.aborted) return refused.signal;
    const timer = setInterval(() => {
      this.check(request).catch(() => refused.abort());
    }, CHECK_MS).unref();
    done.addEventListener('abort', () => clearInterval(timer), { once: true });
    return refused.signal;
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN */
  private async check(request: FastifyRequest): Promise<void> {
    try {
      await this.callers.authenticate(request);
      authorize(request);
    } catch (error) {
      // The owner of credentials is unreachable, and so is the history: it is the same service.
      if (!isUnavailable(error)) throw error;
    }
  }
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  // When the stream ends, the client connects again, perhaps to another gateway.
  connection: 'close',
  // Without this header, nginx would buffer what has to arrive immediately.
  'x-accel-buffering': 'no',
};
/** Milliseconds for which a stream that ends waits for a client that does not read. */
const END_MS = 1_000;

@Controller()
export class EventsController {
  constructor(
    private readonly history: HistoryReader,
    private readonly follow: FollowHistory,
    private readonly permissions: PermissionWatch,
    private readonly limit: EventStreamLimit,
    private readonly drain: Drain,
  ) {}

  @Endpoint(streamEvents)
  async streamEvents(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { query: { after, types } }: EndpointInput<typeof streamEvents>,
    @DisconnectSignal() disconnected: AbortSignal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const given = lastEventIdOf(request) ?? after;
    this.limit.take(organizationId, request, reply);
    const done = new AbortController();
    whenDone(request, reply, () => done.abort());
    const refused = this.permissions.watch(request, done.signal);
    // Before the answer begins, so that an error is an ordinary error response.
    const { lastSequence } = await this.history.read(request, { organizationId, after: 0, limit: 1 });
    const signal = AbortSignal.any([disconnected, done.signal, refused, this.drain.ended]);
    signal.addEventListener('abort', () => setTimeout(() => reply.raw.destroy(), END_MS).unref(), { once: true });
    const from = { organizationId, types, after: given === undefined ? lastSequence : Number(given) };
    reply.headers(HEADERS);
    reply.send(Readable.from(this.follow.text(request, from, signal), { objectMode: false }));
    reply.raw.flushHeaders();
  }
}

/** @throws AppError VALIDATION_FAILED that names the header */
function lastEventIdOf({ headers: { 'last-event-id': given } }: FastifyRequest): string | undefined {
  if (given === undefined || given === '') return undefined;
  const parsed = eventPosition.safeParse(given);
  if (!parsed.success) throw invalidField('Last-Event-ID', 'must be the id of an event');
  return parsed.data;
}
