import { usePeople } from '../app/context.js';
import './pointers.css';
import type { Viewport } from './page-fit.js';
import { useBoard } from './use-board.js';
import { type ShownPointer, usePointers } from './use-pointers.js';

interface DotsProps {
  pointers: readonly ShownPointer[];
  /** Where a pointer is in the window, in pixels. */
  placeOf(pointer: ShownPointer): { left: number; top: number };
}

/** Hidden from screen readers: a pointer says nothing without the picture. */
export function PointerDots({ pointers, placeOf }: DotsProps) {
  const people = usePeople((state) => state.people);
  return (
    <div className="board-pointers" aria-hidden>
      {pointers.map((pointer) => {
        const { left, top } = placeOf(pointer);
        return (
          <span
            key={pointer.uid}
            className="board-pointer"
            data-board-pointer={pointer.uid}
            data-fading={pointer.isFading}
            style={{ transform: `translate(${left}px, ${top}px)` }}
          >
            <bdi>{people.find(({ uid }) => uid === pointer.uid)?.name ?? pointer.uid}</bdi>
          </span>
        );
      })}
    </div>
  );
}

/** Where others point, on this page. */
export function Pointers({ pageId, viewport: { scrollX, scrollY, zoom } }: { pageId: string; viewport: Viewport }) {
  const { board } = useBoard();
  const pointers = usePointers(board, pageId);
  return <PointerDots pointers={pointers} placeOf={({ x, y }) => ({ left: (x + scrollX) * zoom, top: (y + scrollY) * zoom })} />;
}
