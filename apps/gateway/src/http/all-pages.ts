/** Reads all pages of a result that one message cannot hold. The owner decides the size of a page; the last has no `nextCursor`. */
export async function allPages<P extends { nextCursor?: string | null | undefined }>(
  read: (cursor: string | undefined) => Promise<P>,
): Promise<[P, ...P[]]> {
  const pages: [P, ...P[]] = [await read(undefined)];
  for (let cursor = pages[0].nextCursor; cursor;) {
    const page = await read(cursor);
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}
