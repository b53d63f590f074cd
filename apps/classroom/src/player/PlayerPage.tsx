import { Music, Play, RotateCcw, WifiOff } from 'lucide-react';
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { CaptionLines } from './CaptionLines.js';
import { Controls } from './Controls.js';
import { useAround, usePlayer } from './context.js';
import { FailureCard } from './FailureCard.js';
import { toggleFullscreen } from './fullscreen.js';
import type { Command } from './keys.js';
import { Keys } from './Keys.js';
import { useActivity } from './use-activity.js';
import { useKeys } from './use-keys.js';
import { useSaid } from './use-said.js';

export function PlayerPage() {
  const { player, words, title } = useAround();
  const phase = usePlayer((state) => state.phase);
  const failure = usePlayer((state) => state.failure);
  const [hasHelp, setHelp] = useState(false);
  const isActive = useActivity();
  const said = useSaid();
  useReflection();
  useKeys((command) => (failure ? undefined : command[0] === 'help' ? setHelp(true) : obey(command)));
  const obey = ([name, value]: Command) => {
    const { store } = player;
    if (name === 'toggle') player.toggle();
    if (name === 'mute') player.toggleSound();
    if (name === 'captions') player.toggleCaptions();
    if (name === 'fullscreen') toggleFullscreen(player.video);
    if (name === 'seek-by') player.seekBy(value);
    if (name === 'seek-to-tenth') player.seek((store.get().duration * value) / 10);
    if (name === 'volume-by') player.setVolume((store.get().isMuted ? 0 : store.get().volume) + value);
    if (name === 'rate') player.stepRate(value);
  };
  return (
    <main className="player" aria-label={title || words.player} data-bare={phase === 'playing' && !isActive}>
      <Picture />
      {failure ? (
        <FailureCard failure={failure} />
      ) : (
        <>
          <CaptionLines />
          <SoundOnly />
          {title && <h1 className="player-title">{title}</h1>}
          <Middle />
          <Controls />
        </>
      )}
      {said && (
        <p className="said" aria-hidden>
          {said}
        </p>
      )}
      <div className="unseen" role="status">
        {said}
      </div>
      {hasHelp && <Keys onClose={() => setHelp(false)} />}
    </main>
  );
}

/** A click plays or pauses; a tap on a touch screen only shows the controls. */
function Picture() {
  const { player } = useAround();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.append(player.video), [player]);
  const press = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') player.toggle();
  };
  return (
    <div
      ref={place}
      className="picture"
      onClick={(event) => press(event.nativeEvent as unknown as PointerEvent)}
      onDoubleClick={() => toggleFullscreen(player.video)}
    />
  );
}

function SoundOnly() {
  const { words } = useAround();
  const isShown = usePlayer((state) => !state.hasPicture);
  if (!isShown) return null;
  return (
    <p className="sound-only">
      <Music aria-hidden />
      {words.soundOnly}
    </p>
  );
}

/** The middle of the picture: the play button, or why the video does not play. */
function Middle() {
  const { player, words } = useAround();
  const phase = usePlayer((state) => state.phase);
  const isWaiting = usePlayer((state) => state.isWaiting);
  const isLost = usePlayer((state) => state.isLost);
  if (isWaiting) {
    return (
      <div className="middle waiting" role="status">
        <span className="spinner" />
        {isLost ? (
          <span className="waiting-words">
            <WifiOff aria-hidden />
            {words.lost}
          </span>
        ) : (
          <span className="unseen">{words.loading}</span>
        )}
      </div>
    );
  }
  if (phase !== 'ready' && phase !== 'ended') return null;
  const [Icon, label] = phase === 'ended' ? ([RotateCcw, words.replay] as const) : ([Play, words.play] as const);
  return (
    <div className="middle">
      <button
        type="button"
        className="big-button"
        aria-label={label}
        title={label}
        data-action={phase === 'ended' ? 'replay' : 'start'}
        onClick={() => player.play()}
      >
        <Icon aria-hidden />
      </button>
    </div>
  );
}

/** Writes the player's state to attributes of the root element, for styles and tests. */
function useReflection(): void {
  const phase = usePlayer((state) => state.phase);
  const failure = usePlayer((state) => state.failure);
  const playing = usePlayer((state) => state.qualities.find(({ id }) => id === state.playing)?.label);
  useEffect(() => {
    Object.assign(document.documentElement.dataset, { state: phase, failure: failure ?? '', quality: playing ?? '' });
  }, [phase, failure, playing]);
}
