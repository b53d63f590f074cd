import { z } from 'zod';
import { documentId, organizationId, pageOf, roomId } from '../kernel/values.js';
import { defineRpc } from '../kernel/rpc.js';
import { filmedPages } from '../room/board.operations.js';

export const documentRpc = {
  /** How many pages a document has; null until it is completed. */
  pages: defineRpc({
    service: 'media',
    rpc: 'document.pages',
    callers: ['room'],
    input: z.object({ organizationId, roomId, documentId }),
    output: z.object({ pages: z.number().int().nullable() }),
    errors: ['DOCUMENT_NOT_FOUND'],
  }),

  /** What a recording shows of a document. */
  filmed: defineRpc({
    service: 'media',
    rpc: 'document.filmed',
    callers: ['room'],
    input: z.object({ organizationId, roomId, documentId, after: z.number().int().min(0) }),
    output: filmedPages,
    errors: ['DOCUMENT_NOT_FOUND'],
  }),

  /** The text of the documents of a class, by page, the oldest document first: as many pages as fit into one message. */
  texts: defineRpc({
    service: 'media',
    rpc: 'document.texts',
    callers: ['ai'],
    needsCaller: true,
    input: z.object({ organizationId, roomId }),
    output: z.object({ pages: pageOf(z.object({ title: z.string(), page: z.number().int(), text: z.string() })) }),
    timeoutMs: 2_000,
    waitsForResponder: false,
  }),
};
