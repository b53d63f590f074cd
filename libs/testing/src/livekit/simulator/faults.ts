/** What the simulator does wrong on purpose. Rates in [0, 1]; milliseconds here are real ones, not scaled. */
export interface Faults {
  webhooks: {
    /** Believed sent, never arrives. */
    lossRate: number;
    dropNext: number;
    duplicateRate: number;
    /** Sent outside its queue, up to `reorderWithinMs` later, so that later events overtake it. */
    reorderRate: number;
    reorderWithinMs: number;
    /** Before each event, in its queue: order is kept, what waits behind grows old. */
    delayMs: { min: number; max: number };
  };
  api: {
    /** `refuse` cuts the connection; `unavailable` answers 503 at once; `hang` never answers. */
    mode: 'up' | 'refuse' | 'unavailable' | 'hang';
    /** Only these methods of RoomService, e.g. `ListParticipants`; all when empty. */
    methods: string[];
    latencyMs: number;
  };
  lists: {
    /** `stale`: ListParticipants and ListRooms answer as at the moment this was set. `unavailable`: 503 after 3 s. */
    mode: 'live' | 'stale' | 'unavailable';
    /** `redis` is LiveKit without `api.enable_psrpc_for_get_list_participants`: the dead stay listed ACTIVE. */
    source: 'psrpc' | 'redis';
    /** Of these rooms alone the lists of participants are unavailable, as of those on one node that died; of all when empty. */
    rooms: string[];
  };
}

export type FaultsPatch = { [Group in keyof Faults]?: Partial<Faults[Group]> };

export function noFaults(): Faults {
  return {
    webhooks: {
      lossRate: 0,
      dropNext: 0,
      duplicateRate: 0,
      reorderRate: 0,
      reorderWithinMs: 1_000,
      delayMs: { min: 0, max: 0 },
    },
    api: { mode: 'up', methods: [], latencyMs: 0 },
    lists: { mode: 'live', source: 'psrpc', rooms: [] },
  };
}

/** Changes what the patch names and refuses what it doesn't know: a misspelled fault would be a test that tests nothing. */
export function applyFaults(faults: Faults, patch: FaultsPatch): void {
  for (const [name, values] of Object.entries(patch)) {
    const group = faults[name as keyof Faults] as Record<string, unknown> | undefined;
    if (!group) throw new RangeError(`unknown fault group: ${name}`);
    for (const key of Object.keys(values)) {
      if (!(key in group)) throw new RangeError(`unknown fault: ${name}.${key}`);
    }
    Object.assign(group, values);
  }
}
