/** Deliberate faults of the simulator. Rates are in [0, 1]; milliseconds here are real time, not scaled. */
export interface Faults {
  webhooks: {
    /** Counted as sent, but never arrives. */
    lossRate: number;
    dropNext: number;
    duplicateRate: number;
    /** Sent outside its queue, up to `reorderWithinMs` later, so that later events overtake it. */
    reorderRate: number;
    reorderWithinMs: number;
    /** Delay before each event in its queue: the order is kept, and waiting events grow old. */
    delayMs: { min: number; max: number };
  };
  api: {
    /** `refuse` cuts the connection; `unavailable` answers 503 immediately; `hang` never answers. */
    mode: 'up' | 'refuse' | 'unavailable' | 'hang';
    /** Only these methods of RoomService, e.g. `ListParticipants`; all if empty. */
    methods: string[];
    latencyMs: number;
  };
  lists: {
    /** `stale`: ListParticipants and ListRooms answer with the state at the time this was set. `unavailable`: 503 after 3 s. */
    mode: 'live' | 'stale' | 'unavailable';
    /** `redis` is LiveKit without `api.enable_psrpc_for_get_list_participants`: dead participants stay listed as ACTIVE. */
    source: 'psrpc' | 'redis';
    /** Rooms whose participant lists are unavailable, as if they were on one dead node; all if empty. */
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

/** Applies the patch and rejects unknown names: with a misspelled fault a test would test nothing. */
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
