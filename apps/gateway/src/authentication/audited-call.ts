import { randomUUID } from 'node:crypto';
import type { AuditActor, AuditedCall } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';

type Context = FastifyRequest['requestContext'];

/** Fields of bodies that identify whom or what a call is about. No other value of a body is kept. */
const TARGETS = ['roomId', 'uid', 'subject'] as const;

/** Who called; undefined if the call was not authenticated. */
export function actorOf(caller: Context['caller']): AuditActor | undefined {
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
export function callingOrganization(caller: Context['caller']): string | undefined {
  if (caller.kind === 'participant') return caller.participant.organizationId;
  return 'organization' in caller ? caller.organization.organizationId : undefined;
}

/** @param organizationId of the organization in whose log the entry belongs; null: that of the operators */
export function auditedCall(
  { ip, body: sent, requestContext }: Pick<FastifyRequest, 'body' | 'ip' | 'requestContext'>,
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
  const target = { ...room, ...texts(named), ...texts(params) };
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
