/** Limits an LRUCache to so many entries. Its own option `max` allocates memory for all of them at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
