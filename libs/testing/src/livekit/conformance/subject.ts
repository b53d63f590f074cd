/** Somebody in a room, seen from outside. */
export interface ConformanceParticipant {
  sid: string;
  leave(): Promise<void>;
}

/** A LiveKit under test: the simulated one or the real one. */
export interface LiveKitSubject {
  url: string;
  apiKey: string;
  apiSecret: string;
  /** Resolves when ACTIVE; a refusal rejects with JoinRefused. */
  connect(token: string): Promise<ConformanceParticipant>;
  /** Joins and dies without a word; resolves with its sid once it is dead. */
  connectAndCrash(token: string): Promise<string>;
  /** Opens the signal connection and no media. */
  connectSignalOnly(token: string): Promise<{ leave(): Promise<void> }>;
  /** kill -9, and a new node on the same Redis at once. */
  loseNode(): Promise<void>;
  stop(): Promise<void>;
}

export class JoinRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'JoinRefused';
  }
}
