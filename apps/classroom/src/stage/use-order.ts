import { useEffect, useReducer, useRef } from 'react';
import { HOLD_MS, NO_ORDER, rise, takeStage, type Order, type Stand } from './rise.js';
import type { StageTile } from './tiles.js';

/** The faces in the order of their places, and the person in the speaker view. */
export function useOrder(faces: readonly StageTile[], pageSize: number): { ordered: StageTile[]; speaker: StageTile | undefined } {
  const order = useRef<Order>(NO_ORDER);
  const stand = useRef<Stand>({ key: undefined, since: 0 });
  const [, lookAgain] = useReducer((count: number) => count + 1, 0);

  const present = faces.map(({ key }) => key);
  const speaking = new Set(faces.filter(({ person }) => person.isSpeaking).map(({ key }) => key));
  const now = performance.now();
  order.current = rise(order.current, { present, speaking, pageSize, now });
  // The speaker view does not show participants their own face while others are present.
  const others = faces.filter(({ person }) => !person.isLocal).map(({ key }) => key);
  stand.current = takeStage(stand.current, { present: others.length > 0 ? others : present, speaking, now });

  const isEarly = [...speaking].some((key) => key !== stand.current.key) && now - stand.current.since < HOLD_MS;
  const isWaiting = order.current.isWaiting || isEarly;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(lookAgain, HOLD_MS);
    return () => clearTimeout(timer);
  });

  const byKey = new Map(faces.map((face) => [face.key, face]));
  return {
    ordered: order.current.keys.flatMap((key) => byKey.get(key) ?? []),
    speaker: stand.current.key === undefined ? undefined : byKey.get(stand.current.key),
  };
}
