import { z } from 'zod';
import { classroomCaller } from '../kernel/caller.js';
import { queryIntegerOr, shown } from '../kernel/fields.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { documentId, organizationId, pageOf, roomId, uid } from '../kernel/values.js';
import { defineOperation } from '../kernel/operation.js';
import { atLeastOneOf, GENERATED_ID, givesSome, NAMES, ROOM, schemaHints, STUDENT } from '../kernel/reference.js';
import { defineRpc, serviceStreamOpening, streamOpening, streamStarted } from '../kernel/rpc.js';
import { boardFormat } from './board.events.js';
import { roomIdParams } from './room.operations.js';

/**
 * The board of a class. The room service decides the order of all changes: each has the next version of the board, and every page that has
 * applied them up to a version shows the same.
 */

/** LiveKit topic of the board's data packets from the server. Clients ignore packets with this topic that a participant sent. */
export const BOARD_TOPIC = 'board';

/** UTF-8 bytes of one element as JSON. */
export const MAX_ELEMENT_BYTES = 32 * 1024;
/** Elements of one call. */
export const MAX_DRAWN = 50;
/** UTF-8 bytes of all elements of one call. */
export const MAX_DRAWN_BYTES = 128 * 1024;
/** Elements of a class, those that were deleted included. */
export const MAX_ELEMENTS = 20_000;
/** Pages of a board. */
export const MAX_BOARD_PAGES = 600;
/** People whose drawings a recording shows. */
export const MAX_FILMED_PEOPLE = 2_000;

const pageId = z.uuid({ error: 'must be a page’s id' });
const shownPageId = z.string().describe('Id of the page, a UUID.');

export const boardTemplate = z.enum(['blank', 'grid', 'lines', 'music']);
const shownTemplate = boardTemplate.describe('What is printed on the page: nothing, a grid, lines, or staves.');

export const boardPage = z
  .object({
    pageId: shownPageId,
    template: shownTemplate,
    documentId: z.string().nullable().describe('The document whose page lies under it; null if there is none.'),
    documentPage: z.number().int().nullable().describe('The page of the document, from 1; null if there is none.'),
  })
  .register(NAMES, { id: 'BoardPage', description: 'A page of the board.' });
export type BoardPage = z.infer<typeof boardPage>;

const elementId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, - and _')
  .describe('Id of the element, chosen by who draws it: 1 to 64 letters, digits, `-` and `_`.');
const revision = z
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1);

/** What the service reads of an element; the rest of its JSON is the page's. */
export const drawnElement = z.looseObject({
  id: elementId,
  version: revision.describe(
    'Counts the changes of the element: 1 or more. A lower one than the stored is late, and does not replace it; an equal one replaces another’s change.',
  ),
  versionNonce: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .describe('A random number for each change: tells a repeated change from another one with the same `version`.'),
  isDeleted: z.boolean().default(false).describe('Whether the element was deleted. Default: `false`.'),
});

export const boardElement = z
  .object({
    pageId: shownPageId,
    uid: z.string().describe('Who drew the element first.'),
    version: z.number().int().describe('Version of the board at which the element changed last.'),
    element: z
      .looseObject({ id: z.string().describe('Id of the element.'), isDeleted: z.boolean().describe('Whether it was deleted.') })
      .describe('The element in Excalidraw’s form, as it was drawn; only `id` and `isDeleted` if it was deleted.'),
  })
  .register(NAMES, { id: 'BoardElement', description: 'An element of the board.' });
export type BoardElement = z.infer<typeof boardElement>;

const boardDetails = z.object({
  isShown: z.boolean().describe('Whether the class sees the board.'),
  currentPageId: z.string().nullable().describe('The page that the class sees; null if the board has none.'),
  pages: z.array(boardPage).max(MAX_BOARD_PAGES).describe('All pages, in order.'),
  drawers: z.array(z.string()).max(1_000).describe('The uids of those who were allowed to draw in this class.'),
});

/** What changed after `base` up to `version`. */
export const boardUpdate = z.object({
  base: z.number().int().describe('The update contains what changed after this version.'),
  version: z.number().int().describe('The version of the board after the update: `after` of the next call.'),
  board: boardDetails.optional().describe('Pages, the current page, and who may draw; absent if unchanged.'),
  elements: pageOf(boardElement).describe('New and changed elements, in the order of their versions.'),
  hasMore: z.boolean().describe('Whether more changed, which the next call returns.'),
  isPartial: z
    .boolean()
    .optional()
    .describe('Whether the update is too large for one message and has to be fetched. Occurs only in a push.'),
});
export type BoardUpdate = z.infer<typeof boardUpdate>;

const pageParams = z.object({ pageId: pageId.describe('Id of the page, a UUID.') });
const versioned = z.object({ version: z.number().int().describe('Version of the board that has the change.') });
const IN_CLASS = { tag: 'Class board', auth: 'classroom', service: 'room' } as const;

export const getBoard = defineOperation({
  ...IN_CLASS,
  operationId: 'getBoard',
  summary: 'Get board',
  description: 'Returns the board of the class: everything, or what changed after a version.',
  route: 'GET /v1/classroom/board',
  rpc: 'board.get',
  query: z.object({ after: queryIntegerOr(0, { min: 0 }).describe('The version that you have. Default: 0, everything.') }),
  output: boardUpdate.register(NAMES, { id: 'BoardUpdate', description: 'What changed on the board.' }),
  errors: ['ROOM_ENDED'],
  example: { query: { after: 0 } },
});

export const drawOnBoard = defineOperation({
  ...IN_CLASS,
  operationId: 'drawOnBoard',
  summary: 'Draw on board',
  description:
    'Adds, changes and deletes elements of a page. Repeating a call changes nothing. Who does not manage the board changes only own elements: others stay as they are and are named in `refused`, as are late changes. What one person, or all together, draw in ten seconds is limited: `RATE_LIMITED` names when to call again.',
  route: 'POST /v1/classroom/board',
  rpc: 'board.draw',
  body: z.object({
    pageId: pageId.describe('The page on which the elements are.'),
    elements: z
      .array(drawnElement)
      .min(1)
      .max(MAX_DRAWN)
      .describe('1 to 50 elements in Excalidraw’s form, each of at most 32 KiB, together 128 KiB.'),
  }),
  input: z.object({ caller: classroomCaller, pageId, elements: z.array(drawnElement).min(1).max(MAX_DRAWN) }),
  bodyLimit: 2 * MAX_DRAWN_BYTES,
  output: versioned.extend({
    refused: z
      .array(z.string())
      .max(MAX_DRAWN)
      .describe('The ids of elements that stayed as they are: fetch what changed after your version.'),
  }),
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'BOARD_PAGE_NOT_FOUND', 'BOARD_FULL', 'RATE_LIMITED'],
  example: {
    body: {
      pageId: GENERATED_ID,
      elements: [{ id: 'a1', type: 'rectangle', version: 1, versionNonce: 7, x: 10, y: 10, width: 80, height: 40 }],
    },
  },
});

export const changeBoard = defineOperation({
  ...IN_CLASS,
  operationId: 'changeBoard',
  summary: 'Show board or page',
  description: 'Shows or hides the board, or changes the page that the class sees. Needs the permission `manageBoard`.',
  route: 'PATCH /v1/classroom/board',
  rpc: 'board.change',
  body: z
    .object({
      isShown: z.boolean().optional().describe('Whether the class sees the board.'),
      currentPageId: pageId.optional().describe('The page that the class sees.'),
    })
    .refine(...givesSome('isShown', 'currentPageId'))
    .register(schemaHints, atLeastOneOf('isShown', 'currentPageId')),
  input: z.object({ caller: classroomCaller, isShown: z.boolean().optional(), currentPageId: pageId.optional() }),
  output: versioned,
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'BOARD_PAGE_NOT_FOUND'],
  example: { body: { isShown: true } },
});

export const addBoardPage = defineOperation({
  ...IN_CLASS,
  operationId: 'addBoardPage',
  summary: 'Add board page',
  description:
    'Adds a page, or a page for each page of a document of the class: after another one, or at the end. The first page of a board is shown. Needs the permission `manageBoard`.',
  route: 'POST /v1/classroom/board/pages',
  idempotency: 'gateway',
  rpc: 'board.add-page',
  body: z
    .object({
      template: boardTemplate.default('blank').describe('What is printed on the page. Default: `blank`.'),
      documentId: documentId.optional().describe('A document of the class: each of its pages lies under a page of the board.'),
      afterPageId: pageId.optional().describe('The page after which it is inserted. Default: at the end.'),
    })
    .prefault({}),
  output: versioned.extend({ pageId: z.string().describe('Id of the page, a UUID; of the first if there are several.') }),
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'BOARD_PAGE_NOT_FOUND', 'BOARD_FULL', 'DOCUMENT_NOT_FOUND', 'DOCUMENT_NOT_READY'],
  links: { pageId: '$response.body#/data/pageId' },
  example: { body: { template: 'grid' } },
});

export const deleteBoardPage = defineOperation({
  ...IN_CLASS,
  operationId: 'deleteBoardPage',
  summary: 'Delete board page',
  description: 'Deletes a page with everything on it. Deleting it again changes nothing. Needs the permission `manageBoard`.',
  route: 'DELETE /v1/classroom/board/pages/:pageId',
  rpc: 'board.delete-page',
  params: pageParams,
  output: versioned,
  errors: ['ROOM_ENDED', 'FORBIDDEN'],
  example: { params: { pageId: GENERATED_ID } },
});

export const clearBoardPage = defineOperation({
  ...IN_CLASS,
  operationId: 'clearBoardPage',
  summary: 'Clear board page',
  description: 'Deletes everything that was drawn on a page. Needs the permission `manageBoard`.',
  route: 'POST /v1/classroom/board/pages/:pageId/clear',
  rpc: 'board.clear-page',
  params: pageParams,
  output: versioned,
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'BOARD_PAGE_NOT_FOUND'],
  example: { params: { pageId: GENERATED_ID } },
});

export const allowToDraw = defineOperation({
  ...IN_CLASS,
  operationId: 'allowToDraw',
  summary: 'Allow to draw',
  description: 'Lets a participant draw on the board in this class, or revokes that. Needs the permission `manageBoard`.',
  route: 'POST /v1/classroom/participants/:uid/draw',
  rpc: 'board.allow-to-draw',
  params: z.object({ uid: uid.describe('Your id of the participant.') }),
  body: z.object({ allowed: z.boolean().describe('`true` allows the participant to draw, `false` revokes it.') }),
  output: versioned.extend({ uid: shown.uid }),
  message: (_, { body }) => (body.allowed ? 'Participant may draw' : 'Participant may no longer draw'),
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'PARTICIPANT_NOT_FOUND'],
  example: { params: { uid: STUDENT.uid }, body: { allowed: true } },
});

export const pointAtBoard = defineOperation({
  ...IN_CLASS,
  operationId: 'pointAtBoard',
  summary: 'Point at board',
  description: 'Shows a laser pointer to the class for a moment: on a page of the board, or over the shared screen. It is not stored.',
  route: 'POST /v1/classroom/board/pointer',
  rpc: 'board.point',
  body: z.object({
    pageId: pageId.nullable().describe('The page; null: the shared screen.'),
    x: z.number().min(-1e6).max(1e6).describe('On a page: its coordinate. On the screen: 0 (left) to 1.'),
    y: z.number().min(-1e6).max(1e6).describe('On a page: its coordinate. On the screen: 0 (top) to 1.'),
  }),
  output: z.object({}),
  errors: ['ROOM_ENDED', 'FORBIDDEN', 'RATE_LIMITED'],
  example: { body: { pageId: null, x: 0.5, y: 0.5 } },
});

/** A pointer as it is pushed on `BOARD_TOPIC`. */
export interface BoardPointer {
  pointer: { uid: string; pageId: string | null; x: number; y: number };
}

/**
 * A piece of a `BoardUpdate` that is too large for one packet, as it is pushed on `BOARD_TOPIC`. All pieces in their order are its JSON in base64. Who
 * misses one sees the gap in the versions with the next update.
 */
export interface BoardPiece {
  piece: { version: number; at: number; of: number; base64: string };
}

/** Pieces of an update. A larger one has to be fetched. */
export const MAX_BOARD_PIECES = 12;

const roomBoard = z.object({
  isShown: z.boolean().describe('Whether the class sees the board.'),
  currentPageId: z.string().nullable().describe('The page that the class sees; null if the board has none.'),
  pages: z
    .array(boardPage.extend({ elements: z.array(boardElement).max(MAX_ELEMENTS).describe('What is drawn on the page, the oldest first.') }))
    .max(MAX_BOARD_PAGES)
    .describe('All pages, in order.'),
});

export type RoomBoard = z.infer<typeof roomBoard>;

export const getRoomBoard = defineEndpoint({
  operationId: 'getRoomBoard',
  summary: 'Get board of room',
  description:
    'Returns the board of a room, also after the class: all pages with what is drawn on them as JSON or as a PDF file over the slides, or one page as a picture (SVG, PNG).',
  tag: 'Rooms',
  sdk: 'rooms.board',
  route: 'GET /v1/room/:roomId/board',
  auth: 'organization',
  scope: 'chat:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  params: roomIdParams,
  query: z.object({
    format: boardFormat
      .default('json')
      .describe(
        '`pdf`: all pages, with text that can be selected. `svg` and `png`: one page as a picture; `svg` is without the slide under it and without pictures of documents. Default: `json`.',
      ),
    pageId: pageId.optional().describe('The page of the picture, by default the first; or the only page of the PDF file, by default all.'),
  }),
  response: envelope(roomBoard.register(NAMES, { id: 'RoomBoard', description: 'The board of a room.' })),
  produces: ['application/json', 'image/svg+xml', 'image/png', 'application/pdf'],
  errors: ['ROOM_NOT_FOUND', 'BOARD_PAGE_NOT_FOUND', 'BOARD_TOO_LARGE'],
  example: { params: ROOM },
});

/** Of a document: the pages after `after`, as many as fit into one message. `url` is a signed address, valid for about an hour. */
export const filmedPages = z.object({ pages: pageOf(z.object({ page: z.number().int(), url: z.string() })) });

export const boardRpc = {
  /** The board as JSON, or a page as SVG. */
  export: defineRpc({
    service: 'room',
    rpc: 'board.export',
    input: z.object({ organizationId, roomId, format: z.enum(['json', 'svg']), pageId: z.string().optional(), ...streamOpening.shape }),
    output: streamStarted,
    errors: ['ROOM_NOT_FOUND', 'BOARD_PAGE_NOT_FOUND'],
  }),

  /** The pages of a file, as lines of JSON: `boardDrawing`. */
  drawings: defineRpc({
    service: 'room',
    rpc: 'board.drawings',
    callers: ['media'],
    needsCaller: true,
    input: z.object({
      organizationId,
      roomId,
      format: z.enum(['png', 'pdf']),
      pageId: z.string().optional(),
      ...serviceStreamOpening.shape,
    }),
    output: streamStarted,
    errors: ['ROOM_NOT_FOUND', 'BOARD_PAGE_NOT_FOUND'],
  }),

  /** The board as a PDF file or a page of it as a PNG picture, in base64. Workers answer it, because they open the files of strangers. */
  file: defineRpc({
    service: 'media',
    rpc: 'board.file',
    input: z.object({ organizationId, roomId, format: z.enum(['png', 'pdf']), pageId: z.string().optional(), ...streamOpening.shape }),
    output: streamStarted,
    errors: ['ROOM_NOT_FOUND', 'BOARD_PAGE_NOT_FOUND', 'BOARD_TOO_LARGE', 'RATE_LIMITED'],
    timeoutMs: 10_000,
  }),

  /** What a recording shows of the board of a class that is not over: what changed after a version. */
  filmed: defineRpc({
    service: 'room',
    rpc: 'board.filmed',
    input: z.object({ sid: z.string(), after: z.number().int().min(0) }),
    output: boardUpdate.extend({
      /** Who drew on the board and may be recorded. What others drew is not shown. */
      recordable: z.array(z.string()).max(MAX_FILMED_PEOPLE),
    }),
    errors: ['ROOM_ENDED'],
  }),

  /** The pictures of a document's pages, for a recording. */
  filmedDocument: defineRpc({
    service: 'room',
    rpc: 'board.filmed-document',
    input: z.object({ sid: z.string(), documentId, after: z.number().int().min(0) }),
    output: filmedPages,
    errors: ['ROOM_ENDED', 'DOCUMENT_NOT_FOUND'],
  }),
};

/** Different pictures on a page of an exported board: as many as a class has documents. */
export const MAX_BOARD_PICTURES = 100;

/** A page of the board without what lies under it. */
export const boardDrawing = z.object({
  pageId: z.string(),
  documentId: z.string().nullable(),
  documentPage: z.number().int().nullable(),
  /** A picture of what is drawn, with a transparent background if a document lies under it. */
  svg: z.string(),
  /** Documents whose first page is a picture among what is drawn: the `svg` names them `<documentId>.jpg`. */
  pictures: z.array(documentId).max(MAX_BOARD_PICTURES).default([]),
  /** The part of the page that the picture shows; the document lies in the middle of the sheet, as large as fits. */
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
});
export type BoardDrawing = z.infer<typeof boardDrawing>;

/** The part of a page that everyone sees at first, in units of the page. */
export const BOARD_SHEET = { width: 1_280, height: 720 } as const;
