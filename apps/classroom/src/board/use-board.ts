import { usePart } from '../app/context.js';
import { useStore } from '../store.js';
import { BoardPart } from './board-part.js';
import type { BoardView, ClassBoard } from './class-board.js';

/** The board and what of it is shown, where it is loaded. */
export function useBoard(): { board: ClassBoard; view: BoardView } {
  const { board, view } = useStore(usePart(BoardPart), (state) => state);
  if (!board || !view) throw new Error('the board is not loaded');
  return { board, view };
}
