import { useEffect, useState } from 'react';
import { usePeople } from '../app/context.js';
import type { Pointer } from './class-board.js';
import type { Viewport } from './page-fit.js';
import { useBoard } from './use-board.js';

/** How long a pointer stays after its last movement, and how long it fades, in milliseconds. */
const SHOWN_MS = 1_600;
const FADING_MS = 800;

type Shown = Pointer & { seenAt: number };

/** Where others point, on this page. Hidden from screen readers: a pointer says nothing without the picture. */
export function Pointers({ pageId, viewport: { scrollX, scrollY, zoom } }: { pageId: string; viewport: Viewport }) {
  const { board } = useBoard();
  const people = usePeople((state) => state.people);
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const [now, setNow] = useState(0);
  useEffect(
    () =>
      board.pointers.add((pointer) => {
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
  return (
    <div className="board-pointers" aria-hidden>
      {shown
        .filter((pointer) => pointer.pageId === pageId)
        .map(({ uid, x, y, seenAt }) => (
          <span
            key={uid}
            className="board-pointer"
            data-board-pointer={uid}
            data-fading={now - seenAt > SHOWN_MS - FADING_MS}
            style={{ transform: `translate(${(x + scrollX) * zoom}px, ${(y + scrollY) * zoom}px)` }}
          >
            <bdi>{people.find((person) => person.uid === uid)?.name ?? uid}</bdi>
          </span>
        ))}
    </div>
  );
}
