import { useEffect, useReducer, useRef } from 'react';
import { HOLD_MS, NO_ORDER, promoteSpeakers, selectMainSpeaker, type Order, type MainSpeaker } from './speaker-order.js';
import type { StageTile } from './tiles.js';

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
