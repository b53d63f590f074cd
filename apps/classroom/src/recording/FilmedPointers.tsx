import { useEffect, useRef, useState } from 'react';
import type { Pointer } from '../board/class-board.js';
import type { Person } from '../media/people.js';
import '../board/pointers.css';
import { toPlace } from '../board/screen-place.js';
import { useScreenPlace } from '../board/use-screen-place.js';
import './board-film.css';
import type { FilmedBoard } from './filmed-board.js';

/** How long a pointer stays after its last movement, in milliseconds. */
const SHOWN_MS = 1_600;
const CHECK_MS = 200;

interface Props {
  board: FilmedBoard;
  /** Null: the shared screen. */
  pageId: string | null;
  people: readonly Person[];
  placeOf(pointer: Pointer): { left: number; top: number };
}

type Shown = Pointer & { seenAt: number };

/** Where people point. */
export function FilmedPointers({ board, pageId, people, placeOf }: Props) {
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
        .map((pointer) => (
          <span key={pointer.uid} className="filmed-pointer" style={placeOf(pointer)}>
            <i />
            <b>{people.find(({ uid }) => uid === pointer.uid)?.name ?? pointer.uid}</b>
          </span>
        ))}
    </div>
  );
}

/** Over the tile of the shared screen: where people point at it. */
export function FilmedScreenPointers({ board, people }: Pick<Props, 'board' | 'people'>) {
  const ground = useRef<HTMLDivElement>(null);
  const { place } = useScreenPlace(ground);
  return (
    <div ref={ground} className="filmed-screen">
      {place && <FilmedPointers board={board} pageId={null} people={people} placeOf={(pointer) => toPlace(pointer, place)} />}
    </div>
  );
}
