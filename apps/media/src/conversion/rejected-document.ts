import { MAX_DOCUMENT_PAGES } from '@classroom/contracts';
import { RejectedSource } from '../transcoding/source.js';

/** Points of a page's larger side: 5 m, what a PDF can have without a unit of its own. */
export const MAX_SIDE_POINTS = 14_400;

export const REJECTIONS = {
  unreadable: 'The file can’t be read: it is no PDF, PNG or JPEG, or it is damaged',
  encrypted: 'The file is encrypted or protected by a password: save it without protection',
  empty: 'The file has no pages',
  tooMany: `The file has too many pages: at most ${MAX_DOCUMENT_PAGES} are taken`,
  tooLarge: `A page of the file is too large: a side has at most ${MAX_SIDE_POINTS.toLocaleString('en-US')} points, which are 5 m`,
  tooComplex: 'The file can’t be converted: its pages take too much time or memory',
  office: 'Presentations of this format are not taken here: export the presentation as PDF',
  interrupted: 'The file could not be converted: the work on it was interrupted too often',
} as const;

export const rejectDocument = (reason: keyof typeof REJECTIONS, cause?: unknown) => new RejectedSource(REJECTIONS[reason], { cause });
