import { useEffect, useRef, useState, type CSSProperties, type PointerEvent } from 'react';
import { usePlayerContext, usePlayer } from './player.js';
import { formatTime } from './texts.js';

export function SeekBar() {
  const { player, texts } = usePlayerContext();
  const time = usePlayer((state) => state.time);
  const duration = usePlayer((state) => state.duration);
  const bufferedTo = usePlayer((state) => state.bufferedTo);
  const input = useRef<HTMLInputElement>(null);
  // While the user drags, the video keeps its position, because each seek would load data.
  const [dragged, setDragged] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const { current } = input;
    const commitSeek = () => {
      player.seek(Number(current?.value));
      setDragged(undefined);
    };
    current?.addEventListener('change', commitSeek);
    return () => current?.removeEventListener('change', commitSeek);
  }, [player]);
  const shown = dragged ?? time;
  const share = (seconds: number) => (duration > 0 ? Math.min(seconds / duration, 1) : 0);
  const label = dragged ?? pointed;
  const showPointedTime = ({ currentTarget, clientX, pointerType }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (pointerType === 'mouse') setPointed(Math.min(Math.max((clientX - left) / width, 0), 1) * duration);
  };
  const style = {
    '--played': share(shown),
    '--buffered': share(Math.max(bufferedTo, shown)),
    '--pointed': share(label ?? 0),
  } as CSSProperties;
  return (
    <div className="seek" style={style} onPointerMove={showPointedTime} onPointerLeave={() => setPointed(undefined)}>
      <span className="seek-track" />
      <input
        ref={input}
        type="range"
        className="slider seek-slider"
        aria-label={texts.seek}
        aria-valuetext={texts.of(formatTime(shown), formatTime(duration))}
        min={0}
        max={duration || 1}
        step="any"
        value={shown}
        disabled={duration === 0}
        onChange={(event) => setDragged(Number(event.target.value))}
        data-action="seek"
      />
      {label !== undefined && duration > 0 && <span className="seek-label">{formatTime(label)}</span>}
    </div>
  );
}
