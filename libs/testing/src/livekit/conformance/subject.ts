/** A participant in a room, as seen by the test. */
export interface ConformanceParticipant {
  sid: string;
  /** Publishes a microphone track and resolves with its sid; rejects if the permissions do not allow it. */
  publishMicrophone(): Promise<string>;
  /** The data packets that the server has sent to this participant so far, as `topic: text`. */
  packets(): Promise<string[]>;
  leave(): Promise<void>;
}

/** A LiveKit under test: the simulated one or the real one. */
export interface LiveKitSubject {
  url: string;
  apiKey: string;
  apiSecret: string;
  /** Resolves when the participant is ACTIVE; rejects with JoinRefused on a refusal. */
  connect(token: string): Promise<ConformanceParticipant>;
  /** Joins, waits for `joined`, and dies without a disconnect; resolves with its sid once it is dead. */
  connectAndCrash(token: string, joined: (sid: string) => Promise<unknown>): Promise<string>;
  /** Opens the signal connection without media. */
  connectSignalOnly(token: string): Promise<{ leave(): Promise<void> }>;
  /** kill -9, and immediately a new node on the same Redis. */
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
