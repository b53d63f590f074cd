import { invalidField } from '@classroom/contracts';
import { z } from 'zod';

/** Of the last row of a page in order of creation; rows of one instant stand by their ids. */
export interface PagePosition {
  createdAt: Date;
  id: string;
}

/** An opaque cursor. `position` is what it has to hold, for a cursor comes from outside. */
export function cursorOf<T>(position: z.ZodType<T>) {
  return {
    encode: (value: T) => Buffer.from(JSON.stringify(value)).toString('base64url'),
    /** @throws AppError VALIDATION_FAILED where it is none of ours */
    decode(cursor: string): T {
      try {
        return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
      } catch (cause) {
        throw invalidField('cursor', 'must be one that a page before gave', cause);
      }
    },
  };
}

/** The cursor of pages in order of creation. `id` is what an id has to look like. */
export function pageCursor(id: z.ZodType<string>) {
  const { encode, decode } = cursorOf(z.tuple([z.number().int().min(0).max(8.64e15), id]));
  return {
    encode: (row: PagePosition) => encode([row.createdAt.getTime(), row.id]),
    /** @throws AppError VALIDATION_FAILED where it is none of ours */
    decode(cursor: string): PagePosition {
      const [time, found] = decode(cursor);
      return { createdAt: new Date(time), id: found };
    },
  };
}
