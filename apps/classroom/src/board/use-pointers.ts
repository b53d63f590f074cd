import { useEffect, useState } from 'react';
import type { ClassBoard, Pointer } from './class-board.js';

/** How long a pointer stays after its last movement, and how long it fades, in milliseconds. */
const SHOWN_MS = 1_600;
const FADING_MS = 800;

export type ShownPointer = Pointer & { isFading: boolean };

/** Where others point: on a page, or over the shared screen (null). */
export function usePointers(board: ClassBoard | undefined, pageId: string | null): ShownPointer[] {
  const [shown, setShown] = useState<readonly (Pointer & { seenAt: number })[]>([]);
  const [now, setNow] = useState(0);
  useEffect(
    () =>
      board?.pointers.add((pointer) => {
        setNow(performance.now());
        setShown((before) => [...before.filter(({ uid }) => uid !== pointer.uid), { ...pointer, seenAt: performance.now() }]);
      }),
    [board],
  );
  useEffect(() => {
    if (shown.length === 0) return undefined;
    const timer = setInterval(() => {
      setNow(performance.now());
      setShown((before) => before.filter(({ seenAt }) => seenAt > performance.now() - SHOWN_MS));
    }, FADING_MS / 4);
    return () => clearInterval(timer);
  }, [shown.length]);
  return shown
    .filter((pointer) => pointer.pageId === pageId)
    .map(({ seenAt, ...pointer }) => ({ ...pointer, isFading: now - seenAt > SHOWN_MS - FADING_MS }));
}
