/** Runs `work` for all `items`, at most `width` at the same time; the next item starts as soon as one is done. `work` must not throw. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const place = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, place));
}
