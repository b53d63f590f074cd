import type { FastifyRequest } from 'fastify';

/** Separates what is stored or counted for different callers. */
export function keyOf({ requestContext }: FastifyRequest): string {
  const { caller } = requestContext;
  if (caller.kind === 'organization') return caller.organization.organizationId;
  if (caller.kind === 'participant') return `${caller.participant.sid}/${caller.participant.uid}`;
  if (caller.kind === 'dashboard') return `${caller.organization.organizationId}/dashboard/${caller.subject}`;
  if (caller.kind === 'dispatch' && caller.operator.name !== 'dispatch') return `dispatch/${caller.operator.name}`;
  return caller.kind;
}
