import { z } from 'zod';
import { partitionOf } from '../kernel/events.js';
import { NAMES } from '../kernel/reference.js';

export const auditActor = z
  .object({
    type: z
      .enum(['operator', 'api-key', 'credential', 'dashboard', 'participant'])
      .describe(
        'What identified the caller: an operator’s secret, an API key, a value of `VF-ORG-ID`, a dashboard token, or a token of a class.',
      ),
    id: z
      .string()
      .describe('Name of the operator, id of the key or credential, subject of the dashboard token, or `uid` of the participant.'),
  })
  .register(NAMES, { id: 'AuditActor', description: 'Who made an audited call.' });
export type AuditActor = z.infer<typeof auditActor>;

/** What the gateway knows of an audited call. No secret, and nothing that a person wrote: of the body, only the names of its fields. */
export const auditedCall = z.object({
  /** Of the entry. The services that the call reaches state it with their changes. */
  id: z.string(),
  at: z.iso.datetime(),
  /** Null for calls of operators that concern no organization that exists. */
  organizationId: z.string().nullable(),
  actor: auditActor,
  operation: z.string(),
  /** Address of the client. */
  address: z.string(),
  requestId: z.string(),
  /** Ids from path and body: the room, the key, the person. */
  target: z.record(z.string(), z.string()),
  /** The names of the fields in the body. */
  fields: z.array(z.string()),
  /** HTTP status of the answer; null before the call runs. */
  status: z.number().int().nullable(),
});
export type AuditedCall = z.infer<typeof auditedCall>;

/** Where in the stream AUDIT the gateway stores a call: first before it runs, then with its status. */
export const auditSubject = ({ organizationId, id }: Pick<AuditedCall, 'organizationId' | 'id'>) =>
  `audit.call.${partitionOf(organizationId ?? id)}`;
