/** A path of the system that a benchmark compares with its bare parts. */
export interface Path {
  path: string;
  /** What is counted, such as `requests`. */
  unit: string;
  /** The ratio of ours to bare that we aim for; null: none is set. */
  target: number | null;
  /**
   * The ratio of ours to the floor that we aim for. The floor is a minimal program that does all the work of the path, measured in the same run;
   * the bare parts of a path may do less. null: there is none, because the bare parts do all of it.
   */
  floorTarget: number | null;
}

const path = (name: string, unit: string, { target = null, floorTarget = null }: Partial<Pick<Path, 'target' | 'floorTarget'>>): Path => ({
  path: name,
  unit,
  target,
  floorTarget,
});

/** All paths with their unit, targets. The name of a recording's scene is added to that of its path. */
export const PATHS = {
  status: path('status', 'requests', { target: 0.88 }),
  join: path('join', 'requests', { target: 1.1 }),
  createAlone: path('create, 1 at a time', 'rooms', { target: 0.45, floorTarget: 0.85 }),
  createTogether: path('create, 16 at a time', 'rooms', { target: 0.45, floorTarget: 0.85 }),
  fold: path('webhook to session', 'events', { target: 0.8, floorTarget: 1 }),
  chargesLarge: path('charges, one large organization', 'charges', { target: 0.9 }),
  // Without the wait of up to a second for the roll-up's turn.
  chargesPosted: path('charges, one large organization, from the first entry', 'charges', { target: 0.9 }),
  chargesSmall: path('charges, a thousand small ones', 'charges', { target: 0.7 }),
  csv: path('CSV of sessions', 'rows', { target: 0.8 }),
  statement: path('row by key, typed statement', 'rows', {}),
  entity: path('row by key, entity', 'rows', {}),
  transaction: path('row by key, in a transaction', 'transactions', {}),
  // At most 1.05 times the duration of the bare command.
  job: path('video, job', 'seconds of film', { target: 0.95 }),
  segment: path('video, delivery of a segment', 'MB', { target: 0.7 }),
  wholeFile: path('video, delivery of a whole file', 'MB', { target: 0.7 }),
  beyondMemory: path('video, delivery beyond memory', 'MB', { target: 0.7 }),
  upload: path('video, upload', 'MB', {}),
  // At most 10 ms more than the 50 ms of the provider.
  firstToken: path('AI, first word', 'first words', { target: 0.83 }),
  streams: path('AI, concurrent answers', 'words', { target: 1 }),
  recording: path('recording', 'frames', { target: 0.98 }),
} satisfies Record<string, Path>;
