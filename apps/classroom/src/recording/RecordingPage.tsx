import { useEffect } from 'react';
import { useStore } from '../store/store.js';
import { Stage } from '../stage/Stage.js';
import { Waiting } from '../stage/Waiting.js';
import type { Query } from './query.js';
import type { Recorder } from './recorder.js';
import { announce } from './signals.js';

/** Number of tiles on the stage: a recording shows one page only. */
const ALL = 49;
/** How long after entering the recording starts if no picture appears, in milliseconds. */
const SILENCE_MS = 1_000;

export function RecordingPage({ recorder, query }: { recorder: Recorder; query: Query }) {
  const people = useStore(recorder.people, (state) => state.people);
  const layout = useStore(recorder, (state) => state.layout);
  const isConnected = useStore(recorder, (state) => state.isConnected);
  const isFailed = useStore(recorder, (state) => state.isFailed);
  useStartSignal(isConnected);
  if (isFailed) return <div className="error">The class can’t be reached.</div>;
  return (
    <div className="recording" data-connected={isConnected}>
      <Stage people={people} layout={layout} pageSize={ALL} isBare waiting={<Waiting title={query.title} words="" logoUrl={null} />} />
      {query.logoUrl && (
        <div className="recording-logo">
          <img src={query.logoUrl} alt="" onError={(event) => event.currentTarget.parentElement?.remove()} />
        </div>
      )}
    </div>
  );
}

/** Signals the start of the recording once connected: at the first picture, or without one after a while. */
function useStartSignal(isConnected: boolean): void {
  useEffect(() => {
    if (!isConnected) return undefined;
    const begun = performance.now();
    let frame = 0;
    const look = () => {
      const isShown = [...document.querySelectorAll('video')].some(({ videoWidth, hidden }) => !hidden && videoWidth > 0);
      if (isShown || performance.now() - begun >= SILENCE_MS) announce('START_RECORDING');
      else frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [isConnected]);
}
