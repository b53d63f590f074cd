import { randomUUID } from 'node:crypto';
import { AppError, auditModeOf, auditSubject, type AuditActor, type AuditedCall } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';
import { GroupedPublisher, StreamPublisher } from '@classroom/messaging';
import { Clock, failpoint, logger } from '@classroom/platform';
import { OrganizationDirectory } from './organization-directory.js';

type Context = FastifyRequest['requestContext'];

/** Fields of bodies that identify whom or what a call is about. No other value of a body is kept. */
const TARGETS = ['roomId', 'uid', 'subject'] as const;
/** Parameters of queries that say what of a room was exported. */
const EXPORTED = ['format', 'pageId'] as const;

/** Who called; undefined if the call was not authenticated. */
function actorOf(caller: Context['caller']): AuditActor | undefined {
  switch (caller.kind) {
    case 'dispatch':
      return { type: 'operator', id: caller.operator.name };
    case 'organization':
      return caller.apiKey ? { type: 'api-key', id: caller.apiKey.keyId } : { type: 'credential', id: caller.credentialId };
    case 'dashboard':
      return { type: 'dashboard', id: caller.subject };
    case 'participant':
      return { type: 'participant', id: caller.participant.uid };
    default:
      return undefined;
  }
}

/** The organization that called. Undefined for operators. */
function callingOrganization(caller: Context['caller']): string | undefined {
  if (caller.kind === 'participant') return caller.participant.organizationId;
  return 'organization' in caller ? caller.organization.organizationId : undefined;
}

/** @param organizationId of the organization in whose log the entry belongs; null: that of the operators */
export function auditedCall(
  { ip, body: sent, query, requestContext }: Pick<FastifyRequest, 'body' | 'ip' | 'query' | 'requestContext'>,
  actor: AuditActor,
  organizationId: string | null,
  at: Date,
): AuditedCall {
  const { endpoint, input, requestId, caller } = requestContext;
  // An organization may be named by a value of a credential that was revoked: only the id of one that exists is kept.
  const { organizationId: _, ...params } = recordOf(input?.params);
  const body = recordOf(input?.body);
  const room: Record<string, string> = caller.kind === 'participant' ? { sid: caller.participant.sid } : {};
  const named = endpoint?.withholdsTarget ? {} : Object.fromEntries(TARGETS.map((name) => [name, body[name]]));
  const exported = Object.fromEntries(EXPORTED.map((name) => [name, recordOf(query)[name]]));
  const target = { ...room, ...texts(named), ...texts(exported), ...texts(params) };
  // Names that the contract knows, without those that only have a default.
  const fields = Object.keys(body).filter((name) => recordOf(sent)[name] !== undefined);
  const operation = endpoint?.operationId ?? '';
  return {
    id: randomUUID(),
    at: at.toISOString(),
    organizationId,
    actor,
    operation,
    address: ip,
    requestId,
    target,
    fields: fields.sort(),
    status: null,
  };
}

const recordOf = (value: unknown) =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<string, unknown>;

const texts = (of: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(of).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Pauses between attempts to store the status of a call, in milliseconds. */
const RETRY_PAUSES_MS = [500, 2_000, 8_000, 30_000];
/** Statuses that wait to be stored, per process. */
const MAX_WAITING = 1_000;
const FORBIDDEN = 403;

const unstored = metrics.getMeter('virtual-classroom').createCounter('classroom_audit_unstored_total', {
  description: 'Messages about audited calls that were not stored, by part: the begin of a call, or its status',
});
for (const part of ['begin', 'status']) unstored.add(0, { part });

/**
 * Stores audited calls in the stream AUDIT: before a call runs, so that nothing happens without an entry, and again with the
 * status of its answer, which no answer waits for.
 */
@Injectable()
export class AuditTrail implements BeforeApplicationShutdown {
  private readonly publisher: GroupedPublisher;
  private readonly waiting = new Set<Promise<void>>();
  private readonly stopping = Promise.withResolvers<void>();
  private isStopping = false;

  constructor(
    publisher: StreamPublisher,
    private readonly organizations: OrganizationDirectory,
    private readonly clock: Clock,
  ) {
    this.publisher = new GroupedPublisher(publisher);
  }

  /** Returns when the call is stored. @throws AppError SERVICE_UNAVAILABLE if it cannot be stored and its endpoint requires it */
  begin(request: FastifyRequest): void | Promise<void> {
    const { endpoint, input } = request.requestContext;
    if (!endpoint || endpoint.audit === 'none' || !input || auditModeOf(endpoint, input) === 'none') return undefined;
    return this.store(request);
  }

  /** Stores the status of the call's answer. */
  end(request: FastifyRequest, status: number): void {
    const { audit, caller, endpoint } = request.requestContext;
    if (audit) return this.storeStatus({ ...audit, status });
    // Refused before it began, for a missing right. Other such refusals are not in the log.
    const isRefused = endpoint && endpoint.audit !== 'none' && status === FORBIDDEN && caller.kind !== 'participant';
    const actor = isRefused ? actorOf(caller) : undefined;
    if (actor) this.storeStatus({ ...auditedCall(request, actor, callingOrganization(caller) ?? null, this.clock.wall()), status });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.stopping.resolve();
    await Promise.all(this.waiting);
  }

  private async store(request: FastifyRequest): Promise<void> {
    const { requestContext } = request;
    const { caller, endpoint } = requestContext;
    const actor = actorOf(caller);
    if (!actor) return;
    const call = auditedCall(request, actor, await this.organizationOf(request), this.clock.wall());
    requestContext.audit = call;
    try {
      await this.publish(call, 'begin');
    } catch (cause) {
      unstored.add(1, { part: 'begin' });
      logger.error({ err: cause, call: withoutPersons(call) }, 'audited call not stored');
      if (endpoint?.audit === 'required') throw new AppError('SERVICE_UNAVAILABLE', { cause });
    }
    await failpoint('gateway.audit.after-begin');
  }

  /** The organization that called, or the one that an operator named, if it exists. */
  private async organizationOf({ requestContext: { caller, input } }: FastifyRequest): Promise<string | null> {
    const calling = callingOrganization(caller);
    if (calling !== undefined) return calling;
    const { organizationId: named } = (input?.params ?? {}) as { organizationId?: string };
    return named === undefined ? null : ((await this.organizations.find(named))?.organizationId ?? null);
  }

  private storeStatus(call: AuditedCall): void {
    const stored = this.waiting.size < MAX_WAITING ? this.publishUntilStored(call) : Promise.reject(new Error('too many wait'));
    const work = stored.catch((error: unknown) => {
      unstored.add(1, { part: 'status' });
      logger.error({ err: error, call: withoutPersons(call) }, 'status of an audited call not stored');
    });
    this.waiting.add(work);
    void work.finally(() => this.waiting.delete(work));
  }

  private async publishUntilStored(call: AuditedCall): Promise<void> {
    for (const pause of RETRY_PAUSES_MS) {
      try {
        return await this.publish(call, 'status');
      } catch (error) {
        if (this.isStopping) throw error;
        await Promise.race([new Promise((resolve) => setTimeout(resolve, pause).unref()), this.stopping.promise]);
      }
    }
    return this.publish(call, 'status');
  }

  private publish(call: AuditedCall, part: 'begin' | 'status'): Promise<void> {
    return this.publisher.publish({ stream: 'AUDIT', subject: auditSubject(call), body: JSON.stringify(call), id: `${call.id}:${part}` });
  }
}

/** For the log, which contains no address and no id of a person. */
function withoutPersons({ id, at, actor: { type, id: actorId }, operation, requestId, status }: AuditedCall) {
  const isPerson = type === 'participant' || type === 'dashboard';
  return { id, at, actor: isPerson ? type : `${type} ${actorId}`, operation, requestId, status };
}
