import { useCallback, useEffect, useRef } from 'react';
import type { Person } from '../media/people.js';
import { useStore } from '../store.js';
import { Stage, EmptyStage } from '../stage/Stage.js';
import { screensOf } from '../stage/tiles.js';
import { FilmedScreenPointers } from './FilmedPointers.js';
import { useFilm } from './load-film.js';
import type { Query } from './query.js';
import { type Recorder, logSignal } from './recorder.js';

/** Number of tiles on the stage: a recording shows one page only. */
const MAX_TILES = 49;
/** How long after entering the recording starts if no picture appears, or if the board does not, in milliseconds. */
const [NO_PICTURE_MS, NO_BOARD_MS] = [1_000, 3_000];

export function RecordingPage({ recorder, query }: { recorder: Recorder; query: Query }) {
  const people = useStore(recorder.people, (state) => state.people);
  const layout = useStore(recorder, (state) => state.layout);
  const isConnected = useStore(recorder, (state) => state.isConnected);
  const hasFailed = useStore(recorder, (state) => state.hasFailed);
  const showsBoard = useStore(recorder.board, ({ page }) => page !== undefined);
  const Film = useFilm(showsBoard);
  const isBoardKnown = useStore(recorder.board, ({ isKnown }) => isKnown);
  // A pointer has no name of a screen, so it is the newest.
  const sharer = screensOf(people).at(-1)?.person.uid;
  const overScreen = useCallback(
    ({ uid }: Person) => uid === sharer && <FilmedScreenPointers board={recorder.board} people={people} />,
    [sharer, recorder, people],
  );
  useStartSignal(isConnected, query.boardToken !== '' && (!isBoardKnown || (showsBoard && !Film)));
  if (hasFailed) return <div className="error">The class can’t be reached.</div>;
  return (
    <div className="recording" data-connected={isConnected}>
      <Stage
        people={people}
        layout={layout}
        main={showsBoard && Film ? <Film board={recorder.board} service={recorder.service} people={people} /> : undefined}
        pageSize={MAX_TILES}
        showsNamesOnly
        overScreen={overScreen}
        emptyState={<EmptyStage title={query.title} text="" logoUrl={null} />}
      />
      {query.logoUrl && (
        <div className="recording-logo">
          <img src={query.logoUrl} alt="" onError={(event) => event.currentTarget.parentElement?.remove()} />
        </div>
      )}
    </div>
  );
}

/** Signals the start of the recording once connected: at the first picture and with the board if there is one, or without them after a while. */
function useStartSignal(isConnected: boolean, lacksBoard: boolean): void {
  const isWaiting = useRef(lacksBoard);
  isWaiting.current = lacksBoard;
  useEffect(() => {
    if (!isConnected) return undefined;
    const startedAt = performance.now();
    let frame = 0;
    const check = () => {
      const isShown =
        !isWaiting.current && [...document.querySelectorAll('video')].some(({ videoWidth, hidden }) => !hidden && videoWidth > 0);
      if (isShown || performance.now() - startedAt >= (isWaiting.current ? NO_BOARD_MS : NO_PICTURE_MS)) logSignal('START_RECORDING');
      else frame = requestAnimationFrame(check);
    };
    check();
    return () => cancelAnimationFrame(frame);
  }, [isConnected]);
}
