import { useEffect, useState } from 'react';
import type { Pointer } from '../../board/class-board.js';
import type { Viewport } from '../../board/page-fit.js';
import type { Person } from '../../media/people.js';
import type { FilmedBoard } from './filmed-board.js';

/** How long a pointer stays after its last movement, in milliseconds. */
const SHOWN_MS = 1_600;
const CHECK_MS = 200;

interface Props {
  board: FilmedBoard;
  pageId: string;
  people: readonly Person[];
  viewport: Viewport;
}

type Shown = Pointer & { seenAt: number };

/** Where people point on this page. */
export function FilmedPointers({ board, pageId, people, viewport: { scrollX, scrollY, zoom } }: Props) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(
    () =>
      board.pointers.add((pointer) =>
        setShown((before) => [...before.filter(({ uid }) => uid !== pointer.uid), { ...pointer, seenAt: performance.now() }]),
      ),
    [board],
  );
  useEffect(() => {
    if (shown.length === 0) return undefined;
    const forget = () => setShown((before) => before.filter(({ seenAt }) => seenAt > performance.now() - SHOWN_MS));
    const timer = setInterval(forget, CHECK_MS);
    return () => clearInterval(timer);
  }, [shown.length]);
  return (
    <div className="board-pointers">
      {shown
        .filter((pointer) => pointer.pageId === pageId)
        .map(({ uid, x, y }) => (
          <span key={uid} className="filmed-pointer" style={{ left: (x + scrollX) * zoom, top: (y + scrollY) * zoom }}>
            <i />
            <b>{people.find((person) => person.uid === uid)?.name ?? uid}</b>
          </span>
        ))}
    </div>
  );
}
