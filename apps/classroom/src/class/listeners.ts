export class Listeners<A extends unknown[] = []> {
  private readonly all = new Set<(...args: A) => void>();

  /** Adds a listener. @returns a function that removes it */
  readonly add = (listener: (...args: A) => void): (() => void) => {
    const own = (...args: A) => listener(...args);
    this.all.add(own);
    return () => void this.all.delete(own);
  };

  notify(...args: A): void {
    for (const listener of this.all) listener(...args);
  }
}
