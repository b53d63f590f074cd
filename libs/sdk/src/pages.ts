/** A paginated list: iterate over all entries, or request one page. */
export class Pages<Page, Item> implements AsyncIterable<Item> {
  constructor(
    private readonly fetch: (cursor: string | undefined) => Promise<Page>,
    private readonly itemsOf: (page: Page) => readonly Item[],
    /** The cursor of the next page; null or undefined after the last. */
    private readonly nextOf: (page: Page) => string | null | undefined,
  ) {}

  /** One page as the API returns it: the first, or the one at a `nextCursor`. @throws as any call */
  page(cursor?: string): Promise<Page> {
    return this.fetch(cursor);
  }

  /** All pages. Each is requested when the iteration reaches it. */
  async *pages(): AsyncGenerator<Page> {
    let cursor: string | undefined;
    do {
      const page = await this.fetch(cursor);
      yield page;
      cursor = this.nextOf(page) ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.pages()) yield* this.itemsOf(page);
  }
}
