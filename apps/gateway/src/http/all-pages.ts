interface Page {
  /** The last page has none. */
  nextCursor?: string | null | undefined;
}

/** The pages of a result that one message cannot hold. The owner decides the size of a page; each is read when the one before was taken. */
export async function* pagesFrom<P extends Page>(first: P, read: (cursor: string) => Promise<P>): AsyncGenerator<P, void> {
  for (let page: P | undefined = first; page; page = page.nextCursor ? await read(page.nextCursor) : undefined) yield page;
}

/** Reads all of them. */
export async function allPages<P extends Page>(read: (cursor: string | undefined) => Promise<P>): Promise<[P, ...P[]]> {
  const first = await read(undefined);
  const others: P[] = [];
  for await (const page of pagesFrom(first, read)) if (page !== first) others.push(page);
  return [first, ...others];
}
