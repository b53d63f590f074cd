import { invalidField } from '@classroom/contracts';
import { z } from 'zod';

/** Position of the last row of a page that is ordered by creation time, then by id. */
export interface PagePosition {
  createdAt: Date;
  id: string;
}

/** An opaque cursor. `position` is the schema of its content, because a cursor comes from outside. */
export function cursorOf<T>(position: z.ZodType<T>) {
  return {
    encode: (value: T) => Buffer.from(JSON.stringify(value)).toString('base64url'),
    /** @throws AppError VALIDATION_FAILED if the cursor is not one that `encode` made */
    decode(cursor: string): T {
      try {
        return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
      } catch (cause) {
        throw invalidField('cursor', 'must be one that a page before gave', cause);
      }
    },
  };
}

/** The cursor of pages ordered by creation time. `id` is the schema of an id. */
export function pageCursor(id: z.ZodType<string>) {
  const { encode, decode } = cursorOf(z.tuple([z.number().int().min(0).max(8.64e15), id]));
  return {
    encode: (row: PagePosition) => encode([row.createdAt.getTime(), row.id]),
    /** @throws AppError VALIDATION_FAILED if the cursor is not one that `encode` made */
    decode(cursor: string): PagePosition {
      const [time, found] = decode(cursor);
      return { createdAt: new Date(time), id: found };
    },
  };
}
