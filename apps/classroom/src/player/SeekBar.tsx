import { useEffect, useRef, useState, type CSSProperties, type PointerEvent } from 'react';
import { useAround, usePlayer } from './context.js';
import { clockOf } from './time.js';

export function SeekBar() {
  const { player, words } = useAround();
  const time = usePlayer((state) => state.time);
  const duration = usePlayer((state) => state.duration);
  const bufferedTo = usePlayer((state) => state.bufferedTo);
  const input = useRef<HTMLInputElement>(null);
  // While the user drags, the video keeps its position, because each seek would load data.
  const [dragged, setDragged] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const { current } = input;
    const settle = () => {
      player.seek(Number(current?.value));
      setDragged(undefined);
    };
    current?.addEventListener('change', settle);
    return () => current?.removeEventListener('change', settle);
  }, [player]);
  const shown = dragged ?? time;
  const share = (seconds: number) => (duration > 0 ? Math.min(seconds / duration, 1) : 0);
  const label = dragged ?? pointed;
  const point = ({ currentTarget, clientX, pointerType }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (pointerType === 'mouse') setPointed(Math.min(Math.max((clientX - left) / width, 0), 1) * duration);
  };
  const style = {
    '--played': share(shown),
    '--buffered': share(Math.max(bufferedTo, shown)),
    '--pointed': share(label ?? 0),
  } as CSSProperties;
  return (
    <div className="seek" style={style} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
      <span className="seek-track" />
      <input
        ref={input}
        type="range"
        className="slider seek-slider"
        aria-label={words.seek}
        aria-valuetext={words.of(clockOf(shown), clockOf(duration))}
        min={0}
        max={duration || 1}
        step="any"
        value={shown}
        disabled={duration === 0}
        onChange={(event) => setDragged(Number(event.target.value))}
        data-action="seek"
      />
      {label !== undefined && duration > 0 && <span className="seek-label">{clockOf(label)}</span>}
    </div>
  );
}
