import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { organizationId, roomId, timestamp, uid } from '../kernel/values.js';
import { ERASURE, NAMES, ORGANIZATION, schemaHints } from '../kernel/reference.js';
import { defineRpc, type ServiceName } from '../kernel/rpc.js';
import { withoutUndefined } from '../kernel/without-undefined.js';

export const erasureId = z.string().regex(/^era_[A-Za-z0-9]{20}$/, 'must be an erasure id such as era_…');

const personOrClass = z.union([z.strictObject({ uid }), z.strictObject({ roomId })]);
export type PersonOrClass = z.infer<typeof personOrClass>;

/** Whose data is erased. */
export const erasureSubject = z.union([...personOrClass.options, z.strictObject({ organization: z.literal(true) })]);
export type ErasureSubject = z.infer<typeof erasureSubject>;

/** The subject for statements that have a parameter for each kind. */
export const namedBy = (subject: PersonOrClass): { uid: string | null; roomId: string | null } => ({
  uid: null,
  roomId: null,
  ...subject,
});

export const createErasureBody = z
  .strictObject({
    uid: uid.optional().describe('A participant, in all classes of the organization, also on the rosters of classes to come.'),
    roomId: roomId.optional().describe('A class, with everyone in it. If it has not begun, it is cancelled.'),
    organization: z
      .literal(true)
      .optional()
      .describe(
        'The whole organization, with `VF-ORG-ID` and not with an API key. It is closed at once: it can only read. At `beginsAt`, 72 hours later by default, its classes end and everything is erased. Until then, you can cancel that.',
      ),
  })
  .refine(
    (body) => Object.values(body).filter((value) => value !== undefined).length === 1,
    'must have exactly one of uid, roomId and organization',
  )
  .register(schemaHints, { oneOf: [{ required: ['uid'] }, { required: ['roomId'] }, { required: ['organization'] }] });

/** Rows, files or messages by store, such as `chat messages`. */
const counts = z.record(z.string(), z.number().int().min(0));
export type ErasureCounts = z.infer<typeof counts>;

/** The store of copies that the organization has in its own bucket. They are counted, not erased. */
export const ERASURE_KEPT_COPIES = 'copies in the organization’s own bucket, kept';

const store = z.object({
  service: z.string().describe('The service that stored it.'),
  store: z.string().describe('What was erased, such as `chat messages`.'),
  count: z.number().int().describe('How many rows, files or messages.'),
});

export const erasureReceipt = z
  .object({
    erasureId: z.string().describe('Id of the erasure.'),
    subjectHash: z
      .string()
      .describe('SHA-256, in hexadecimal, of `<erasureId>:uid:<uid>`, `<erasureId>:roomId:<roomId>` or `<erasureId>:organization:<id>`.'),
    requestedAt: timestamp.describe('When the erasure was requested.'),
    completedAt: timestamp.describe('When the last service had erased.'),
    stores: z.array(store).max(100).describe('What was erased, by service and store.'),
    remaining: z
      .array(
        z.object({
          store: z.string().describe('What may still contain the data.'),
          until: timestamp.nullable().describe('When it is deleted at the latest; null if that is up to the operator.'),
        }),
      )
      .max(10)
      .describe('Copies that are deleted by their age.'),
  })
  .register(NAMES, { id: 'ErasureReceipt', description: 'What was erased, and which copies are deleted later.' });
export type ErasureReceipt = z.infer<typeof erasureReceipt>;

export const erasure = z
  .object({
    erasureId: z.string().describe('Id of the erasure.'),
    status: z
      .enum(['PENDING', 'RUNNING', 'COMPLETED'])
      .describe(
        '`PENDING`: the services are not asked yet, and nothing is erased. `RUNNING`: they erase; a class that is not over is waited for. `COMPLETED`: all have.',
      ),
    waitingFor: z.array(z.string()).max(10).describe('The services that have not finished.'),
    requestedAt: timestamp.describe('When the erasure was requested.'),
    beginsAt: timestamp
      .nullable()
      .optional()
      .describe('When the erasure of an organization begins, until which it can be cancelled; null for that of a person or a class.'),
    receipt: erasureReceipt.nullable().describe('The receipt; null until the erasure is completed.'),
    signature: z
      .object({
        algorithm: z.literal('Ed25519').describe('How the receipt is signed.'),
        publicKey: z
          .string()
          .describe('The public key (SPKI as DER in base64). It stays the same while the installation keeps its secret.'),
        value: z.string().describe('The signature, in base64, of the receipt as JSON (RFC 8785: keys sorted, no spaces).'),
      })
      .nullable()
      .describe('The signature of the receipt; null until the erasure is completed.'),
  })
  .register(NAMES, { id: 'Erasure', description: 'A request to erase a person, a class or an organization.' });
export type Erasure = z.infer<typeof erasure>;

/** Whether an API key makes the call. None may erase an organization. */
const isByKey = z.boolean().default(false);

export const createErasure = defineOperation({
  operationId: 'createErasure',
  summary: 'Erase personal data',
  description:
    'Erases the personal data of a participant or of a class, or everything of the organization. Once begun, this cannot be undone. Charges and sums stay, without the person. The erasure runs in the background: poll it until `COMPLETED`.',
  tag: 'Privacy',
  sdk: 'privacy.erase',
  route: 'POST /v1/privacy/erasures',
  auth: 'organization',
  scope: 'privacy:manage',
  service: 'organization',
  rpc: 'erasure.create',
  body: createErasureBody,
  input: z.object({ organizationId, subject: erasureSubject, isByKey }),
  isForClosed: true,
  withholdsTarget: true,
  toInput: ({ body, apiKey }) => ({ subject: withoutUndefined(body) as ErasureSubject, isByKey: apiKey !== undefined }),
  output: erasure,
  message: 'Erasure requested',
  errors: ['LEGAL_HOLD'],
  example: { body: { uid: 'student-731' } },
  links: { erasureId: '$response.body#/data/erasureId' },
});

export const getErasure = defineOperation({
  operationId: 'getErasure',
  summary: 'Get erasure',
  description: 'Returns an erasure, with its receipt when it is completed.',
  tag: 'Privacy',
  sdk: 'privacy.erasure',
  route: 'GET /v1/privacy/erasures/:erasureId',
  auth: 'organization',
  scope: 'privacy:manage',
  service: 'organization',
  rpc: 'erasure.get',
  isForClosed: true,
  params: z.object({ erasureId: erasureId.describe('Id of the erasure, `era_` and 20 characters.') }),
  output: erasure,
  errors: ['ERASURE_NOT_FOUND'],
  example: { params: ERASURE },
});

export const cancelledErasure = z
  .object({
    erasureId: z.string().describe('Id of the erasure.'),
    cancelledAt: timestamp.describe('When the erasure was cancelled.'),
  })
  .register(NAMES, { id: 'CancelledErasure', description: 'The erasure of an organization that was cancelled.' });

export const cancelErasure = defineOperation({
  operationId: 'cancelErasure',
  summary: 'Cancel erasure',
  description:
    'Cancels the erasure of the organization before its `beginsAt`, and opens the organization again. Only with `VF-ORG-ID`: an API key cannot cancel it. The erasure of a person or a class cannot be cancelled.',
  tag: 'Privacy',
  sdk: 'privacy.cancelErasure',
  route: 'DELETE /v1/privacy/erasures/:erasureId',
  auth: 'organization',
  scope: 'privacy:manage',
  service: 'organization',
  rpc: 'erasure.cancel',
  isForClosed: true,
  params: getErasure.params,
  input: z.object({ organizationId, erasureId, isByKey }),
  toInput: ({ params, apiKey }) => ({ ...params, isByKey: apiKey !== undefined }),
  output: cancelledErasure,
  message: 'Erasure cancelled',
  errors: ['ERASURE_NOT_FOUND', 'ERASURE_BEGUN'],
  example: { params: ERASURE },
});

const erasureParams = z.object({ organizationId: organizationId.describe('Id of the organization.') });

export const deleteOrganization = defineOperation({
  operationId: 'deleteOrganization',
  summary: 'Delete organization',
  description:
    'Closes an organization, and erases everything of it except its ledger at `beginsAt`, as `POST /v1/privacy/erasures` with `organization` does. Until then it can be cancelled. A repeated call returns the same erasure.',
  tag: 'Organizations',
  sdk: 'organizations.delete',
  route: 'DELETE /v1/admin/organizations/:organizationId',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'organization.delete',
  params: erasureParams,
  output: erasure,
  message: 'Erasure requested',
  errors: ['LEGAL_HOLD', 'ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION },
});

export const getOrganizationErasure = defineOperation({
  operationId: 'getOrganizationErasure',
  summary: 'Get erasure of an organization',
  description: 'Returns the erasure of a deleted organization, also after its row is gone, with the receipt when it is completed.',
  tag: 'Organizations',
  sdk: 'organizations.erasure',
  route: 'GET /v1/admin/organizations/:organizationId/erasure',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'organization.erasure',
  params: erasureParams,
  output: erasure,
  errors: ['ERASURE_NOT_FOUND'],
  example: { params: ORGANIZATION },
});

export const cancelOrganizationErasure = defineOperation({
  operationId: 'cancelOrganizationErasure',
  summary: 'Cancel erasure of an organization',
  description: 'Cancels the erasure of an organization before its `beginsAt`, and opens the organization again.',
  tag: 'Organizations',
  sdk: 'organizations.cancelErasure',
  route: 'DELETE /v1/admin/organizations/:organizationId/erasure',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'organization.cancel-erasure',
  params: erasureParams,
  output: cancelledErasure,
  message: 'Erasure cancelled',
  errors: ['ERASURE_NOT_FOUND', 'ERASURE_BEGUN'],
  example: { params: ORGANIZATION },
});

const request = z.object({
  erasureId: z.string(),
  organizationId,
  subject: erasureSubject,
  /** A service erases when it has read the stream of facts up to this number; 0 for the service that is asked before the classes are over. */
  readThrough: z.number().int().default(0),
});
export type ErasureRequest = z.infer<typeof request>;

/** Idempotent. `isComplete` is false while a class of the subject is not over: the caller asks again. */
const outcome = z.object({ isComplete: z.boolean(), counts });
export type ErasureOutcome = z.infer<typeof outcome>;

const apply = (service: ServiceName) =>
  defineRpc({ service, rpc: 'erasure.apply', callers: ['organization'], input: request, output: outcome, timeoutMs: 20_000 });

/** Erases the subject's data in one service. The subject is in no stream: only in these calls. */
export const erasureRpc = {
  ai: apply('ai'),
  billing: apply('billing'),
  media: apply('media'),
  recording: apply('recording'),
  room: apply('room'),
};

/** What has to be done before an organization's rows can be erased. */
export const closingRpc = {
  /** Ends classes of the organization. */
  endClasses: defineRpc({
    service: 'room',
    rpc: 'room.end-all',
    callers: ['organization'],
    input: z.object({ organizationId }),
    /** Whether no class is left that could continue or begin: otherwise the caller asks again. */
    output: z.object({ isDone: z.boolean() }),
    timeoutMs: 20_000,
  }),
  /** How many recordings the organization keeps on a legal hold. */
  countHolds: defineRpc({
    service: 'recording',
    rpc: 'recording.count-holds',
    callers: ['organization'],
    input: z.object({ organizationId }),
    output: z.object({ holds: z.number().int() }),
    timeoutMs: 5_000,
  }),
  /** Ends the legal holds of an organization that was erased, and that a database from an older backup brought back with them. */
  endHolds: defineRpc({
    service: 'recording',
    rpc: 'recording.end-holds',
    callers: ['organization'],
    input: z.object({ organizationId }),
    output: z.object({ ended: z.number().int() }),
    timeoutMs: 5_000,
  }),
};
