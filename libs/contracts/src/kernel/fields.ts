import { z } from 'zod';
import { timestamp } from './values.js';
import { NAMES } from './reference.js';

/** Fields of many answers, each with its one description in the API reference. */
export const shown = {
  organizationId: z.string().describe('Id of the organization.'),
  roomId: z.string().describe('Your id of the room.'),
  sid: z.string().describe('Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations.'),
  title: z.string().describe('Title of the room.'),
  roomDescription: z.string().nullable().describe('Description of the room; null if there is none.'),
  maxParticipants: z.number().int().describe('Maximum number of participants at the same time.'),
  emptyTimeout: z.number().int().describe('Seconds from the last leave to the end of the class.'),
  participantCount: z.number().int().describe('Number of participants who are connected now.'),
  hasTeacher: z.boolean().describe('Whether a teacher is connected now.'),
  isRecording: z.boolean().describe('Whether a recording is running.'),
  metadata: z.record(z.string(), z.unknown()).nullable().describe('Data of your own; null if there is none.'),
  autoRecord: z.boolean().describe('Whether a recording starts with the first published track.'),
  createdAt: timestamp.describe('When the room was created.'),
  startedAt: timestamp.nullable().describe('When the first participant joined; null before.'),
  endedAt: timestamp.nullable().describe('When the class ended; null before.'),
  uid: z.string().describe('Your id of the participant.'),
  name: z.string().describe('Display name of the participant.'),
  role: z.string().describe('Role of the participant in the room.'),
  photoURL: z.string().nullable().describe('Address of the participant’s photo; null if there is none.'),
  creditRate: z.number().describe('Price of one credit in `currency`.'),
  currency: z.string().describe('ISO 4217 code, such as `USD`.'),
  logoUrl: z.string().nullable().describe('Address of the logo, `upload:…` if it was uploaded; null if there is none.'),
  primaryColor: z.string().nullable().describe('Main color, such as `#1a73e8`; null if none is set.'),
  accentColor: z.string().nullable().describe('Second color, such as `#f9a825`; null if none is set.'),
  nextCursor: z.string().nullable().describe('Cursor of the next page; null on the last.'),
};

/** The query parameter that continues a list. */
export const cursor = z
  .string()
  .max(256)
  .optional()
  .describe('`nextCursor` of the previous page, at most 256 characters. Default: the first page.');

export const pagination = z
  .object({
    nextCursor: shown.nextCursor,
    hasMore: z.boolean().describe('Whether there is a next page.'),
  })
  .register(NAMES, { id: 'Pagination', description: 'Where a list continues.' });

interface Bounds {
  min: number;
  max?: number;
}

/** A whole number in a query string: decimal digits only. Other notations that JavaScript would convert to a number are rejected. */
export const queryInteger = ({ min, max = Number.MAX_SAFE_INTEGER }: Bounds) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value), z.int().min(min).max(max));

/** As `queryInteger`, with a default. */
export const queryIntegerOr = (fallback: number, bounds: Bounds) => queryInteger(bounds).default(fallback);

/** The first line of a table has the names of its columns, which is what programs that read CSV expect. */
export const csvFormat = z
  .enum(['report', 'table'])
  .default('report')
  .describe('With `csv`: `report` begins with a title and the totals, `table` with the names of the columns. Default: `report`.');

/** Excel takes a CSV file without the mark for the code page of the system. */
const MARK = 'with `csv`, the file begins with a byte order mark, by which Excel recognizes UTF-8. Default: `false`.';
export const csvMark = z.boolean().default(false).describe(`\`true\`: ${MARK}`);
/** Whether a query asks for a file: reading it is in the audit log where the page of a list is not. */
export const isCsv = ({ query }: { query: unknown }): boolean => (query as { export?: string }).export === 'csv';
export const csvMarkQuery = z.enum(['true', 'false']).default('false').describe(`\`true\`: ${MARK}`);
