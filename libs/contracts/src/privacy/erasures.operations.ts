import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { organizationId, roomId, timestamp, uid } from '../kernel/ids.js';
import { NAMES } from '../kernel/names.js';
import { schemaHints } from '../kernel/schema-hints.js';
import { ERASURE } from '../kernel/samples.js';
import { defineRpc, type ServiceName } from '../kernel/rpc.js';

export const erasureId = z.string().regex(/^era_[A-Za-z0-9]{20}$/, 'must be an erasure id such as era_…');

/** Whose data is erased. */
export const erasureSubject = z.union([z.strictObject({ uid }), z.strictObject({ roomId })]);
export type ErasureSubject = z.infer<typeof erasureSubject>;

/** The subject for statements that have a parameter for each kind. */
export const namedBy = (subject: ErasureSubject): { uid: string | null; roomId: string | null } => ({
  uid: null,
  roomId: null,
  ...subject,
});

export const createErasureBody = z
  .strictObject({
    uid: uid.optional().describe('A participant, in all classes of the organization.'),
    roomId: roomId.optional().describe('A class, with everyone in it.'),
  })
  .refine((body) => (body.uid === undefined) !== (body.roomId === undefined), 'must have either uid or roomId')
  .register(schemaHints, { oneOf: [{ required: ['uid'] }, { required: ['roomId'] }] });

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
    subjectHash: z.string().describe('SHA-256, in hexadecimal, of `<erasureId>:uid:<uid>` or `<erasureId>:roomId:<roomId>`.'),
    requestedAt: timestamp.describe('When the erasure was requested.'),
    completedAt: timestamp.describe('When the last service had erased.'),
    stores: z.array(store).max(50).describe('What was erased, by service and store.'),
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
        '`PENDING`: no service has erased yet. `RUNNING`: some have; a class that is still live is waited for. `COMPLETED`: all have.',
      ),
    waitingFor: z.array(z.string()).max(10).describe('The services that have not finished.'),
    requestedAt: timestamp.describe('When the erasure was requested.'),
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
  .register(NAMES, { id: 'Erasure', description: 'A request to erase a person or a class.' });
export type Erasure = z.infer<typeof erasure>;

export const createErasure = defineOperation({
  operationId: 'createErasure',
  summary: 'Erase personal data',
  description:
    'Erases the personal data of a participant or of a class. This cannot be undone. Charges and sums stay, without the person. The erasure runs in the background: poll it until `COMPLETED`.',
  tag: 'Privacy',
  sdk: 'privacy.erase',
  route: 'POST /v1/privacy/erasures',
  auth: 'organization',
  scope: 'privacy:manage',
  service: 'organization',
  rpc: 'erasure.create',
  body: createErasureBody,
  input: z.object({ organizationId, subject: erasureSubject }),
  toInput: ({ body: { uid, roomId } }) => ({ subject: uid === undefined ? { roomId: roomId ?? '' } : { uid } }),
  output: erasure,
  message: 'Erasure requested',
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
  params: z.object({ erasureId: erasureId.describe('Id of the erasure, `era_` and 20 characters.') }),
  output: erasure,
  errors: ['ERASURE_NOT_FOUND'],
  example: { params: ERASURE },
});

const request = z.object({ erasureId: z.string(), organizationId, subject: erasureSubject });
export type ErasureRequest = z.infer<typeof request>;

/** Idempotent. `isComplete` is false while a class of the subject is not over: the caller asks again. */
const outcome = z.object({ isComplete: z.boolean(), counts });
export type ErasureOutcome = z.infer<typeof outcome>;

const apply = (service: ServiceName) =>
  defineRpc({ service, rpc: 'erasure.apply', callers: ['organization'], input: request, output: outcome, timeoutMs: 20_000 });

/** Erases the subject's data in one service. The subject is in no stream: only in these calls. */
export const erasureRpc = { ai: apply('ai'), billing: apply('billing'), recording: apply('recording'), room: apply('room') };
