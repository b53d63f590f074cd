import { invalidField } from '@classroom/contracts';
import { z } from 'zod';

/** Of the last row of a page in order of creation; rows of one instant stand by their ids. */
export interface PagePosition {
  createdAt: Date;
  id: string;
}

/** The opaque cursor of such pages. `id` is what an id has to look like, for a cursor comes from outside. */
export function pageCursor(id: z.ZodType<string>) {
  const position = z.tuple([z.number().int().min(0).max(8.64e15), id]);
  return {
    encode: (row: PagePosition) => Buffer.from(JSON.stringify([row.createdAt.getTime(), row.id])).toString('base64url'),
    /** @throws AppError VALIDATION_FAILED where it is none of ours */
    decode(cursor: string): PagePosition {
      try {
        const [time, found] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
        return { createdAt: new Date(time), id: found };
      } catch (cause) {
        throw invalidField('cursor', 'must be one that a page before gave', cause);
      }
    },
  };
}
