import { useEffect, useReducer, useRef } from 'react';
import type { StageTile } from './tiles.js';

/** A face that moved to the first page, or whose person spoke there, stays on it for this long, in milliseconds. */
export const HOLD_MS = 2_000;

/** The order of the faces over all pages. */
export interface Order {
  keys: readonly string[];
  /** When each person last spoke or was moved up, in milliseconds. */
  lastActiveAt: ReadonlyMap<string, number>;
  /** A person on a later page speaks and no place is free yet: call again after the hold time. */
  isWaiting: boolean;
}

export const NO_ORDER: Order = { keys: [], lastActiveAt: new Map(), isWaiting: false };

/**
 * A person who speaks on a later page changes places with the person on the first page who has been silent longest. All others
 * keep their places. `present`: in the order of joining.
 */
export function promoteSpeakers(
  { keys: before, lastActiveAt: lastActiveBefore }: Order,
  { present, speaking, pageSize, now }: { present: readonly string[]; speaking: ReadonlySet<string>; pageSize: number; now: number },
): Order {
  const presentKeys = new Set(present);
  const known = new Set(before);
  const keys = [...before.filter((key) => presentKeys.has(key)), ...present.filter((key) => !known.has(key))];
  const lastActiveAt = new Map([...lastActiveBefore].filter(([key]) => presentKeys.has(key)));
  for (const key of speaking) if (presentKeys.has(key)) lastActiveAt.set(key, now);

  const promoted = keys.slice(pageSize).filter((key) => speaking.has(key));
  const replaceable = keys
    .slice(0, pageSize)
    .filter((key) => !speaking.has(key) && now - (lastActiveAt.get(key) ?? -Infinity) >= HOLD_MS)
    .sort((a, b) => (lastActiveAt.get(a) ?? -Infinity) - (lastActiveAt.get(b) ?? -Infinity) || keys.indexOf(b) - keys.indexOf(a));
  const moved = Math.min(promoted.length, replaceable.length);
  for (let i = 0; i < moved; i += 1) swap(keys, promoted[i] ?? '', replaceable[i] ?? '');
  return { keys, lastActiveAt, isWaiting: promoted.length > moved };
}

function swap(keys: string[], a: string, b: string): void {
  const [i, j] = [keys.indexOf(a), keys.indexOf(b)];
  keys[i] = b;
  keys[j] = a;
}

export interface MainSpeaker {
  key: string | undefined;
  since: number;
}

/**
 * Selects the person in the speaker view. A person who speaks takes over, unless the current one still speaks or took over
 * within the hold time.
 */
export function selectMainSpeaker(
  { key, since }: MainSpeaker,
  { present, speaking, now }: { present: readonly string[]; speaking: ReadonlySet<string>; now: number },
): MainSpeaker {
  const stays = key !== undefined && present.includes(key);
  const next = present.find((one) => one !== key && speaking.has(one));
  if (!stays) return { key: next ?? present[0], since: now };
  if (next === undefined || speaking.has(key) || now - since < HOLD_MS) return { key, since };
  return { key: next, since: now };
}

/** The faces in the order of their places, and the person in the speaker view. */
export function useSpeakerOrder(faces: readonly StageTile[], pageSize: number): { ordered: StageTile[]; speaker: StageTile | undefined } {
  const order = useRef<Order>(NO_ORDER);
  const mainSpeaker = useRef<MainSpeaker>({ key: undefined, since: 0 });
  const [, rerender] = useReducer((count: number) => count + 1, 0);

  const present = faces.map(({ key }) => key);
  const speaking = new Set(faces.filter(({ person }) => person.isSpeaking).map(({ key }) => key));
  const now = performance.now();
  order.current = promoteSpeakers(order.current, { present, speaking, pageSize, now });
  // The speaker view does not show participants their own face while others are present.
  const others = faces.filter(({ person }) => !person.isLocal).map(({ key }) => key);
  mainSpeaker.current = selectMainSpeaker(mainSpeaker.current, { present: others.length > 0 ? others : present, speaking, now });

  const isEarly = [...speaking].some((key) => key !== mainSpeaker.current.key) && now - mainSpeaker.current.since < HOLD_MS;
  const isWaiting = order.current.isWaiting || isEarly;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(rerender, HOLD_MS);
    return () => clearTimeout(timer);
  });

  const byKey = new Map(faces.map((face) => [face.key, face]));
  return {
    ordered: order.current.keys.flatMap((key) => byKey.get(key) ?? []),
    speaker: mainSpeaker.current.key === undefined ? undefined : byKey.get(mainSpeaker.current.key),
  };
}
