/** Listeners by type of event. */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<(told: never) => void>>();

  /** Answers how to stop listening. */
  on<T extends keyof Events>(type: T, listener: (told: Events[T]) => void): () => void {
    const listeners = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, listeners);
    // A function of its own: added twice, a listener is told twice and each is taken off by itself.
    const own = (told: Events[T]) => listener(told);
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  /** Every listener is told, also after one that threw: its error is reported as any uncaught one. */
  emit<T extends keyof Events>(type: T, told: Events[T]): void {
    for (const listener of Array.from(this.listeners.get(type) ?? [])) {
      try {
        (listener as (told: Events[T]) => void)(told);
      } catch (error) {
        setTimeout(() => {
          throw error;
        });
      }
    }
  }

  clear(): void {
    this.listeners.clear();
  }
}
