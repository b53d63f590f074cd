import { Readable } from 'node:stream';
import { Controller, Req, Res } from '@nestjs/common';
import { eventPosition, invalidField, streamEvents, type EndpointInput, type Organization } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DisconnectSignal, CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { Drain } from '../http/drain.js';
import { EventStreamLimit } from '../limits/in-progress-limit.js';
import { whenDone } from '../limits/held.js';
import { FollowHistory, HistoryReader } from './follow-history.js';
import { PermissionWatch } from './permission-watch.js';

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
