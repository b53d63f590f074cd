import { z } from 'zod';
import { documentId, pageOf, text, timestamp } from '../kernel/values.js';
import { defineOperation } from '../kernel/operation.js';
import { queryIntegerOr } from '../kernel/fields.js';
import { DOCUMENT, NAMES, ROOM, schemaHints } from '../kernel/reference.js';
import { roomIdParams } from '../room/room.operations.js';
import { videoStatus } from './video.operations.js';

const MIB = 1024 ** 2;
export const MAX_DOCUMENT_BYTES = 100 * MIB;
export const MAX_DOCUMENT_PAGES = 500;
/** Of a class, also those that failed. */
export const MAX_DOCUMENTS = 100;

/** The formats of office programs need LibreOffice, which an installation may lack. */
export const OFFICE_TYPES = [
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.presentation',
] as const;
export const DOCUMENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg', ...OFFICE_TYPES] as const;

const documentParams = roomIdParams.extend({ documentId: documentId.describe('Id of the document, `doc_` and 20 characters.') });

const UPLOADED = ['fileName', 'size', 'contentType'] as const;

export const createDocumentBody = z
  .object({
    title: text(256).describe('Display title, 1 to 256 characters.'),
    fileName: text(256).optional().describe('Name of the file that you will upload, 1 to 256 characters.'),
    size: z.number().int().min(1).max(MAX_DOCUMENT_BYTES).optional().describe('Bytes of that file: 1 to 104,857,600 (100 MiB).'),
    contentType: z
      .enum(DOCUMENT_TYPES)
      .optional()
      .describe('Media type of that file: PDF, PNG, JPEG, and where the installation has LibreOffice also PPTX and ODP.'),
    url: z
      .url('must be an address such as https://school.example/slides.pdf')
      .max(2048)
      .optional()
      .describe('HTTPS address from which the file is loaded, in place of an upload. Its type is that of its content.'),
  })
  .refine(
    ({ url, ...file }) => UPLOADED.every((name) => (file[name] === undefined) === (url !== undefined)),
    'must have either fileName, size and contentType, or url',
  )
  .register(schemaHints, { oneOf: [{ required: [...UPLOADED] }, { required: ['url'] }] });

export const createdDocument = z
  .object({
    documentId: z.string().describe('Id of the document.'),
    upload: z
      .object({
        protocol: z.literal('tus').describe('The upload protocol, always `tus`.'),
        url: z.string().describe('Address of the upload. A secret: it needs no other credential.'),
        expiresAt: timestamp.describe('When an unfinished upload is deleted.'),
      })
      .nullable()
      .describe('The upload, which already exists: HEAD reports its offset, PATCH continues it (tus 1.0). Null with `url`.'),
  })
  .register(NAMES, { id: 'CreatedDocument', description: 'A new document and its upload.' });

const shownDocument = {
  documentId: z.string().describe('Id of the document.'),
  title: z.string().describe('Display title.'),
  status: videoStatus.describe(
    '`pending`: its file is not there yet, or waits. `processing`: its pages are being made. `completed`: they can be shown. `failed`: they never will be.',
  ),
  message: z.string().nullable().describe('Why the document failed; null if it did not.'),
};

export const document = z
  .object({
    ...shownDocument,
    pages: z.number().int().nullable().describe('Number of pages; null until it is completed.'),
    createdAt: timestamp.describe('When the document was created.'),
  })
  .register(NAMES, { id: 'Document', description: 'A document of a class, such as slides.' });

export const documentPage = z
  .object({
    page: z.number().int().describe('Number of the page, from 1.'),
    width: z.number().int().describe('Pixels of the picture at `url`.'),
    height: z.number().int().describe('Pixels of the picture at `url`.'),
    url: z.string().describe('Signed address of its picture (JPEG), valid for about an hour.'),
    previewUrl: z.string().describe('The same in half the width and height.'),
    text: z.string().optional().describe('Its text, at most 3,000 characters. Present if it has text.'),
  })
  .register(NAMES, { id: 'DocumentPage', description: 'A page of a document.' });

export const documentWithPages = z
  .object({
    ...shownDocument,
    pages: pageOf(documentPage).describe('The pages after `after`, as many as fit into one answer. Empty until the document is completed.'),
    nextAfter: z.number().int().nullable().describe('The `after` of the following pages; null on the last.'),
  })
  .register(NAMES, { id: 'DocumentWithPages', description: 'A document with signed addresses of its pages.' });

const ofRoom = { tag: 'Documents', auth: 'organization', service: 'media' } as const;

export const createDocument = defineOperation({
  ...ofRoom,
  operationId: 'createDocument',
  summary: 'Create document',
  description:
    'Adds a document to a class: returns its upload URL, or loads the file from `url`. Each page becomes a picture, and its text part of what the tutor knows. A class has at most 100 documents, a document 500 pages.',
  sdk: 'rooms.documents.create',
  route: 'POST /v1/room/:roomId/documents',
  scope: 'rooms:write',
  rpc: 'document.create',
  params: roomIdParams,
  body: createDocumentBody,
  output: createdDocument,
  message: 'Document created',
  errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'QUOTA_EXCEEDED', 'TOO_MANY_DOCUMENTS', 'DOCUMENT_TYPE_UNSUPPORTED'],
  inClass: {
    path: '/documents',
    summary: 'Create document in class',
    description: 'Adds a document to the class, as *Create document* does. Allowed for TEACHER, MODERATOR and ADMIN.',
    tag: 'Class documents',
    permission: 'manageParticipants',
  },
  example: {
    params: ROOM,
    body: { title: 'Right triangles', fileName: 'triangles.pdf', size: 482_113, contentType: 'application/pdf' },
  },
  links: { documentId: '$response.body#/data/documentId' },
});

export const listDocuments = defineOperation({
  ...ofRoom,
  operationId: 'listDocuments',
  summary: 'List documents',
  description: 'Returns the documents of a class, oldest first. Also works after the class.',
  sdk: 'rooms.documents.list',
  route: 'GET /v1/room/:roomId/documents',
  scope: 'rooms:read',
  dashboardRole: 'MEMBER',
  rpc: 'document.list',
  params: roomIdParams,
  output: z.object({ documents: z.array(document).max(MAX_DOCUMENTS).describe('The documents, oldest first.') }),
  message: 'Documents',
  errors: ['ROOM_NOT_FOUND'],
  inClass: {
    path: '/documents',
    summary: 'List documents in class',
    description: 'Returns the documents of the class, oldest first.',
    tag: 'Class documents',
    permission: 'beInClass',
  },
  example: { params: ROOM },
});

export const getDocument = defineOperation({
  ...ofRoom,
  operationId: 'getDocument',
  summary: 'Get document',
  description: 'Returns a document with signed addresses of the pictures of its pages, valid for one hour, and their text.',
  sdk: 'rooms.documents.get',
  route: 'GET /v1/room/:roomId/documents/:documentId',
  scope: 'rooms:read',
  rpc: 'document.get',
  params: documentParams,
  query: z.object({
    after: queryIntegerOr(0, { min: 0, max: MAX_DOCUMENT_PAGES }).describe('Number of the last page that you have, 0 to 500. Default: 0.'),
  }),
  output: documentWithPages,
  errors: ['DOCUMENT_NOT_FOUND'],
  inClass: {
    path: '/documents/:documentId',
    summary: 'Get document in class',
    description: 'Returns a document of the class with signed addresses of the pictures of its pages, valid for one hour, and their text.',
    tag: 'Class documents',
    permission: 'beInClass',
  },
  example: { params: { ...ROOM, ...DOCUMENT } },
});

export const deleteDocument = defineOperation({
  ...ofRoom,
  operationId: 'deleteDocument',
  summary: 'Delete document',
  description: 'Deletes a document with its pages, and stops its upload or conversion. The tutor forgets it within half a minute.',
  sdk: 'rooms.documents.delete',
  route: 'DELETE /v1/room/:roomId/documents/:documentId',
  scope: 'rooms:write',
  audit: 'recorded',
  rpc: 'document.delete',
  params: documentParams,
  output: z.object({
    documentId: z.string().describe('Id of the document.'),
    deletedAt: timestamp.describe('When the document was deleted.'),
  }),
  message: 'Document deleted',
  errors: ['DOCUMENT_NOT_FOUND'],
  inClass: {
    path: '/documents/:documentId',
    summary: 'Delete document in class',
    description: 'Deletes a document of the class with its pages. Allowed for TEACHER, MODERATOR and ADMIN.',
    tag: 'Class documents',
    permission: 'manageParticipants',
  },
  example: { params: { ...ROOM, ...DOCUMENT } },
});
