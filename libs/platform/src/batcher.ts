interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (reason: unknown) => void;
}

/** Processes the items of many callers in batches: items that arrive while a batch is in progress form the next one, at most `size` of them. */
export class Batcher<T, R> {
  private readonly waiting: Waiting<T, R>[] = [];
  private isProcessing = false;

  /** @param process returns one result for each item, in their order; must not throw */
  constructor(
    private readonly size: number,
    private readonly process: (items: readonly T[]) => Promise<PromiseSettledResult<R>[]>,
  ) {}

  /** Resolves with the item's own result, and throws its own failure. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isProcessing) void this.processWaiting();
    });
  }

  private async processWaiting(): Promise<void> {
    this.isProcessing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.size);
      const results = await this.process(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason);
      }
    }
    this.isProcessing = false;
  }
}
