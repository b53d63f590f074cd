import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Without it Excel takes a CSV file for the code page of the system. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A CSV file that is sent as fast as the client reads it. If the client disconnects, its source ends. */
export function csvFile(text: AsyncGenerator<string | Uint8Array>, fileName: string, hasMark: boolean): StreamableFile {
  const bytes = Readable.from(hasMark ? marked(text) : text, { objectMode: false });
  return new StreamableFile(bytes, { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${fileName}"` });
}

async function* marked(text: AsyncGenerator<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  try {
    yield BYTE_ORDER_MARK;
    yield* text;
  } finally {
    await text.return(undefined);
  }
}
