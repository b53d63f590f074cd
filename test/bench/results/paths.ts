/** A path of the system that a benchmark compares with its bare parts. */
export interface Path {
  path: string;
  /** What is counted, such as `requests`. */
  unit: string;
  /** The ratio of ours to bare that we aim for; null: none is set. */
  target: number | null;
  /**
   * The honest floor: the ratio to bare of a minimal program that does all the work of the path. The bare parts of a path may do less.
   * null: unknown, or the bare parts do all of it.
   */
  floor: number | null;
}

const path = (name: string, unit: string, { target = null, floor = null }: Partial<Pick<Path, 'target' | 'floor'>>): Path => ({
  path: name,
  unit,
  target,
  floor,
});

/** All paths with their unit, target and floor. The name of a recording's scene is added to that of its path. */
export const PATHS = {
  status: path('status', 'requests', { target: 0.88 }),
  join: path('join', 'requests', { target: 1.1 }),
  createAlone: path('create, 1 at a time', 'rooms', { target: 0.45 }),
  // Floor: Node, pg and LiveKit created 820 rooms a second where createRoom alone took 1.7 ms of CPU, which is 1,176 a second on two cores.
  createTogether: path('create, 16 at a time', 'rooms', { target: 0.45, floor: 0.7 }),
  // Floor: two stored messages, each synced, instead of one: without batches no program passes 0.5.
  fold: path('webhook to session', 'events', { target: 0.8, floor: 0.5 }),
  chargesLarge: path('charges, one large organization', 'charges', { target: 0.9 }),
  chargesSmall: path('charges, a thousand small ones', 'charges', { target: 0.7 }),
  csv: path('CSV of sessions', 'rows', { target: 0.8 }),
  statement: path('row by key, typed statement', 'rows', {}),
  entity: path('row by key, entity', 'rows', {}),
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
