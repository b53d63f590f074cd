import { Readable } from 'node:stream';
import { Controller, Injectable, Req, Res } from '@nestjs/common';
import { eventPosition, invalidField, isUnavailable, streamEvents, type EndpointInput, type Organization } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationCaller } from '../authentication/organization-caller.js';
import { Drain } from '../http/drain.js';
import { DisconnectSignal, CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { authorize } from '../http/lifecycle.js';
import { whenDone } from '../limits/held.js';
import { EventStreamLimit } from '../limits/in-progress-limit.js';
import { FollowHistory, HistoryReader } from './follow-history.js';

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
