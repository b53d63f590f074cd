import { z } from 'zod';
import { pagination } from '../kernel/fields.js';
import { instant, organizationId, pageOf, text, timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';
import { auditActor } from './audit.messages.js';
import { cursorQuery } from './organization.operations.js';

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const shownFields = z.record(z.string(), z.union([plain, z.array(z.string()), z.record(z.string(), plain)]));

export const auditChange = z
  .object({
    kind: z
      .enum(['organization', 'credential', 'api-key', 'webhook-endpoint', 'erasure', 'dead-letter'])
      .meta({ 'x-extensible': true })
      .describe('What was changed.'),
    id: z.string().describe('Its id.'),
    before: shownFields
      .nullable()
      .describe('The fields that changed, as they were; null if it was created. `(withheld)` stands for a secret or a text.'),
    after: shownFields.nullable().describe('The fields that changed, as they are; null if it was deleted or revoked.'),
  })
  .register(NAMES, { id: 'AuditChange', description: 'What an audited call changed.' });
export type AuditChange = z.infer<typeof auditChange>;

export const auditEntry = z
  .object({
    id: z.string().describe('Id of the entry.'),
    sequence: z.number().int().describe('Position in the log of the organization: 1, 2, 3 … without gaps.'),
    at: timestamp.describe('When the call began.'),
    actor: auditActor.describe('Who made the call.'),
    operation: z.string().describe('The operation: its `operationId` in this reference.'),
    target: z
      .record(z.string(), z.string())
      .describe('The ids that the call named, such as `roomId`, `uid` or `keyId`, and the `format` of an export.'),
    fields: z.array(z.string()).describe('The names of the fields in the body of the call.'),
    changes: z
      .array(auditChange)
      .describe(
        'What the call changed of organizations, credentials, API keys, webhook endpoints and dead letters, and which erasure it requested.',
      ),
    status: z
      .number()
      .int()
      .nullable()
      .describe('HTTP status of the answer; null if it is unknown, because the gateway ended before it answered.'),
    address: z
      .string()
      .nullable()
      .describe('Address of the client. Null where it is not shown: organizations do not see those of operators.'),
    requestId: z.string().describe('`X-Request-Id` of the call.'),
    hash: z
      .string()
      .describe('SHA-256 over this entry and the hash of the one before, hexadecimal. Keep it to prove later what came before.'),
  })
  .register(NAMES, { id: 'AuditEntry', description: 'One call in the audit log.' });
export type AuditEntry = z.infer<typeof auditEntry>;

export const operatorsAuditEntry = auditEntry
  .extend({
    organizationId: z.string().nullable().describe('The organization in whose log the entry is; null for the log of the operators.'),
  })
  .register(NAMES, { id: 'OperatorsAuditEntry', description: 'One call in any audit log.' });

export const auditQuery = cursorQuery.extend({
  from: instant.optional().describe('Entries from this time. Default: from the first.'),
  to: instant.optional().describe('Entries before this time. Default: to the last.'),
  operation: z
    .string()
    .regex(/^[A-Za-z]{1,64}$/, 'must be an operationId')
    .optional()
    .describe('Only calls of this operation. Default: all.'),
  actor: text(256).optional().describe('Only calls of the actor with this `id`. Default: all.'),
});

/** After validation by the gateway, which reads the limit from text. */
const page = { limit: z.number().int().min(1).max(100) };

export const listAudit = defineOperation({
  operationId: 'listAudit',
  summary: 'List audit log',
  description: 'Returns who changed, recorded, removed or exported what in the organization, newest first.',
  tag: 'Audit log',
  sdk: 'audit.list',
  route: 'GET /v1/audit',
  auth: 'organization',
  scope: 'audit:read',
  service: 'organization',
  alsoFor: ['dashboard'],
  rpc: 'audit.list',
  query: auditQuery,
  input: auditQuery.extend({ organizationId, ...page }),
  output: z.object({
    entries: pageOf(auditEntry).max(100).describe('The entries, newest first.'),
    pagination: pagination.describe('Where the list continues.'),
  }),
  message: 'Audit log',
  example: { query: { operation: 'createOrganization', limit: '2' } },
});

const operatorsAuditQuery = auditQuery.extend({
  organizationId: organizationId.optional().describe('Only entries of this organization, by its `id`. Default: all.'),
  ofOperators: z.enum(['true', 'false']).default('false').describe('`true`: only the log of the operators. Default: `false`.'),
});

export const listAuditOfAll = defineOperation({
  operationId: 'listAuditOfAll',
  summary: 'List all audit logs',
  description: 'Returns the entries of all organizations and of the operators, newest first.',
  tag: 'Operators’ audit log',
  sdk: 'audit.list',
  route: 'GET /v1/admin/audit',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'audit.list-of-all',
  query: operatorsAuditQuery,
  input: operatorsAuditQuery.extend(page),
  output: z.object({
    entries: pageOf(operatorsAuditEntry).max(100).describe('The entries, newest first.'),
    pagination: pagination.describe('Where the list continues.'),
  }),
  message: 'Audit logs',
  example: { query: { operation: 'revokeDashboardTokens', limit: '2' } },
});
