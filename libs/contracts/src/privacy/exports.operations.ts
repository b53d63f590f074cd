import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { organizationId, pageOf, roomId, timestamp, uid } from '../kernel/values.js';
import { EXPORT, NAMES, schemaHints } from '../kernel/reference.js';
import { defineRpc, type ServiceName } from '../kernel/rpc.js';

export const exportId = z.string().regex(/^exp_[A-Za-z0-9]{20}$/, 'must be an export id such as exp_…');

/** Whose data is exported. */
export const exportSubject = z.union([
  z.strictObject({ uid }),
  z.strictObject({ roomId }),
  z.strictObject({ organization: z.literal(true) }),
]);
export type ExportSubject = z.infer<typeof exportSubject>;

/** The subject for statements that have a parameter for each kind. Both are null for the whole organization. */
export const selectionOf = (subject: ExportSubject): { uid: string | null; roomId: string | null } => ({
  uid: 'uid' in subject ? subject.uid : null,
  roomId: 'roomId' in subject ? subject.roomId : null,
});

export const createExportBody = z
  .strictObject({
    uid: uid.optional().describe('A participant, in all classes of the organization.'),
    roomId: roomId.optional().describe('A class, with everyone in it.'),
    organization: z.literal(true).optional().describe('Everything of the organization.'),
  })
  .refine(
    (body) => Object.values(body).filter((value) => value !== undefined).length === 1,
    'must have exactly one of uid, roomId and organization',
  )
  .register(schemaHints, { oneOf: [{ required: ['uid'] }, { required: ['roomId'] }, { required: ['organization'] }] });

const store = z.object({
  service: z.string().describe('The service that stores it.'),
  store: z.string().describe('The file in the folder of the service, such as `chat-messages`.'),
  count: z.number().int().describe('How many records.'),
});
export type ExportedCount = z.infer<typeof store>;

export const dataExport = z
  .object({
    exportId: z.string().describe('Id of the export.'),
    status: z
      .enum(['PENDING', 'RUNNING', 'COMPLETED'])
      .describe('`PENDING`: it has not begun. `RUNNING`: data is being collected. `COMPLETED`: the file can be downloaded.'),
    waitingFor: z.array(z.string()).max(10).describe('The services whose data has not been collected.'),
    requestedAt: timestamp.describe('When the export was requested.'),
    completedAt: timestamp.nullable().describe('When the file was complete; null until then.'),
    downloadUrl: z
      .string()
      .nullable()
      .describe('Signed address of the ZIP file, which anyone may open who has it; null until the export is completed.'),
    urlExpiresAt: timestamp.nullable().describe('Until this time `downloadUrl` opens the file; call again for a new one.'),
    availableUntil: timestamp.nullable().describe('When the file is deleted. From then on the answer is 410.'),
    bytes: z.number().int().nullable().describe('Size of the file in bytes.'),
    sha256: z.string().nullable().describe('SHA-256 of the file, in hexadecimal.'),
    stores: z.array(store).max(100).nullable().describe('How many records the file contains, by service and store.'),
  })
  .register(NAMES, { id: 'DataExport', description: 'A request to export the data of a person, a class or the organization.' });
export type DataExport = z.infer<typeof dataExport>;

export const createExport = defineOperation({
  operationId: 'createExport',
  summary: 'Export personal data',
  description:
    'Collects the data of a participant, of a class or of the whole organization in a ZIP file. The export runs in the background: poll it until `COMPLETED`. An organization has at most five unfinished exports.',
  tag: 'Privacy',
  sdk: 'privacy.export',
  route: 'POST /v1/privacy/exports',
  auth: 'organization',
  scope: 'privacy:manage',
  audit: 'required',
  service: 'organization',
  rpc: 'export.create',
  body: createExportBody,
  input: z.object({ organizationId, subject: exportSubject }),
  toInput: ({ body }) => ({ subject: exportSubject.parse(body) }),
  output: dataExport,
  errors: ['TOO_MANY_EXPORTS'],
  message: 'Export requested',
  example: { body: { uid: 'student-731' } },
  links: { exportId: '$response.body#/data/exportId' },
});

export const getExport = defineOperation({
  operationId: 'getExport',
  summary: 'Get export',
  description: 'Returns an export, with a new address of its file when it is completed.',
  tag: 'Privacy',
  sdk: 'privacy.getExport',
  route: 'GET /v1/privacy/exports/:exportId',
  auth: 'organization',
  scope: 'privacy:manage',
  service: 'organization',
  rpc: 'export.get',
  params: z.object({ exportId: exportId.describe('Id of the export, `exp_` and 20 characters.') }),
  output: dataExport,
  errors: ['EXPORT_NOT_FOUND', 'EXPORT_EXPIRED'],
  example: { params: EXPORT },
});

/** One record: a line of the file `<store>.jsonl` in the folder of the service. */
const record = z.object({ store: z.string(), data: z.record(z.string(), z.unknown()) });
export type ExportRecord = z.infer<typeof record>;

/** `cursor`: the `next` of the page before; null for the first one. */
const pageRequest = z.object({ organizationId, subject: exportSubject, cursor: z.string().nullable() });
export type ExportPageRequest = z.infer<typeof pageRequest>;

/** All records of a store are adjacent, in pages that follow each other. `next` is null after the last record. */
const page = z.object({ records: pageOf(record), next: z.string().nullable() });
export type ExportPage = z.infer<typeof page>;

const exportOf = (service: ServiceName) =>
  defineRpc({ service, rpc: 'export.page', callers: ['organization'], input: pageRequest, output: page, timeoutMs: 20_000 });

/** Reads the subject's data in one service, page by page. It changes nothing. */
export const exportRpc = {
  ai: exportOf('ai'),
  billing: exportOf('billing'),
  media: exportOf('media'),
  recording: exportOf('recording'),
  room: exportOf('room'),
};
