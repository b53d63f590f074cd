/** Listeners by event type. */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<(payload: never) => void>>();

  /** Adds a listener. @returns a function that removes it */
  on<T extends keyof Events>(type: T, listener: (payload: Events[T]) => void): () => void {
    const listeners = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, listeners);
    // A wrapper per call: if the same listener is added twice, it is called twice, and each registration is removed separately.
    const registered = (payload: Events[T]) => listener(payload);
    listeners.add(registered);
    return () => void listeners.delete(registered);
  }

  /** Calls every listener. An error that one of them throws is reported as uncaught and does not stop the others. */
  emit<T extends keyof Events>(type: T, payload: Events[T]): void {
    for (const listener of Array.from(this.listeners.get(type) ?? [])) {
      try {
        (listener as (payload: Events[T]) => void)(payload);
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
