/** Nobody who came onto the first page, or spoke on it, leaves it within this, milliseconds. */
export const HOLD_MS = 2_000;

/** Who stands where, over all pages. */
export interface Order {
  keys: readonly string[];
  /** When each last spoke or was moved up, milliseconds. */
  heldAt: ReadonlyMap<string, number>;
  /** Somebody speaks on a later page and waits for a place: look again after the hold. */
  isWaiting: boolean;
}

export const NO_ORDER: Order = { keys: [], heldAt: new Map(), isWaiting: false };

/**
 * Who speaks on a later page takes the place of the one on the first page who has been silent longest; everybody else
 * stays where they are. `present` in the order in which they came.
 */
export function rise(
  { keys: before, heldAt: heldBefore }: Order,
  { present, speaking, pageSize, now }: { present: readonly string[]; speaking: ReadonlySet<string>; pageSize: number; now: number },
): Order {
  const here = new Set(present);
  const known = new Set(before);
  const keys = [...before.filter((key) => here.has(key)), ...present.filter((key) => !known.has(key))];
  const heldAt = new Map([...heldBefore].filter(([key]) => here.has(key)));
  for (const key of speaking) if (here.has(key)) heldAt.set(key, now);

  const rising = keys.slice(pageSize).filter((key) => speaking.has(key));
  const givingWay = keys
    .slice(0, pageSize)
    .filter((key) => !speaking.has(key) && now - (heldAt.get(key) ?? -Infinity) >= HOLD_MS)
    .sort((a, b) => (heldAt.get(a) ?? -Infinity) - (heldAt.get(b) ?? -Infinity) || keys.indexOf(b) - keys.indexOf(a));
  const moved = Math.min(rising.length, givingWay.length);
  for (let i = 0; i < moved; i += 1) swap(keys, rising[i] ?? '', givingWay[i] ?? '');
  return { keys, heldAt, isWaiting: rising.length > moved };
}

function swap(keys: string[], a: string, b: string): void {
  const [i, j] = [keys.indexOf(a), keys.indexOf(b)];
  keys[i] = b;
  keys[j] = a;
}

export interface Stand {
  key: string | undefined;
  since: number;
}

/** Who has the stage in the speaker view: whoever speaks, but nobody is taken off it within the hold or while speaking. */
export function takeStage(
  { key, since }: Stand,
  { present, speaking, now }: { present: readonly string[]; speaking: ReadonlySet<string>; now: number },
): Stand {
  const stays = key !== undefined && present.includes(key);
  const next = present.find((one) => one !== key && speaking.has(one));
  if (!stays) return { key: next ?? present[0], since: now };
  if (next === undefined || speaking.has(key) || now - since < HOLD_MS) return { key, since };
  return { key: next, since: now };
}
