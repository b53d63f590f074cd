import { keyOf } from '@classroom/page/keys';
import { Pointer, PointerOff } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useApp } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { mayDraw } from './class-board.js';
import { PointerDots } from './Pointers.js';
import { movedBy, type Place, type ScreenPoint, toPlace, toScreenPoint } from './screen-place.js';
import './screen.css';
import { useBoard } from './use-board.js';
import { usePointers } from './use-pointers.js';
import { useScreenPlace } from './use-screen-place.js';

/** The narrowest tile in which one points, in pixels: on a smaller one, no place is found. */
const MIN_WIDTH = 240;

/** Over the tile of the shared screen: where others point, and what the participant points with. */
export function ScreenOverlay() {
  const { t } = useTranslation('board');
  const { board, view } = useBoard();
  const session = useApp((app) => app.session);
  const ground = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { size, place } = useScreenPlace(ground);
  const pointers = usePointers(board, null);
  const [wantsToPoint, setWantsToPoint] = useState(false);
  const mayPoint = mayDraw(session, view.drawers) && size.width >= MIN_WIDTH && place !== undefined;
  const isPointing = wantsToPoint && mayPoint;
  const end = () => {
    setWantsToPoint(false);
    button.current?.focus();
  };
  const label = t(isPointing ? 'stopPointing' : 'point');
  return (
    <div ref={ground} className="screen-overlay" onDoubleClick={(event) => isPointing && event.stopPropagation()}>
      {isPointing && <PointingGround place={place} onPoint={(point) => board.point({ pageId: null, ...point })} onEnd={end} />}
      {place && <PointerDots pointers={pointers} placeOf={(pointer) => toPlace(pointer, place)} />}
      {mayPoint && (
        <button
          ref={button}
          type="button"
          className="icon-button screen-point"
          aria-label={label}
          title={label}
          aria-pressed={isPointing}
          data-action="point-at-screen"
          onClick={() => setWantsToPoint(!isPointing)}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          {isPointing ? <PointerOff aria-hidden /> : <Pointer aria-hidden />}
        </button>
      )}
    </div>
  );
}

interface Props {
  place: Place;
  onPoint(point: ScreenPoint): void;
  onEnd(): void;
}

/** Follows mouse, finger and arrow keys. */
function PointingGround({ place, onPoint, onEnd }: Props) {
  const { t } = useTranslation('board');
  const ground = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState<ScreenPoint>();
  useEffect(() => ground.current?.focus(), []);
  const pointTo = (point: ScreenPoint | undefined) => {
    setOwn(point);
    if (point) onPoint(point);
  };
  const onMove = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    pointTo(toScreenPoint(clientX - left, clientY - top, place));
  };
  const onKey = (event: KeyboardEvent) => {
    const key = keyOf(event.nativeEvent) ?? '';
    const moved = movedBy(own ?? { x: 0.5, y: 0.5 }, key, event.shiftKey);
    if (!moved && key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (moved) pointTo(moved);
    else onEnd();
  };
  const at = own && toPlace(own, place);
  return (
    <div
      ref={ground}
      className="screen-pointing"
      role="application"
      aria-label={t('pointing')}
      tabIndex={0}
      onPointerMove={onMove}
      onPointerDown={onMove}
      onPointerLeave={() => setOwn(undefined)}
      onKeyDown={onKey}
    >
      {at && <span className="board-pointer" aria-hidden style={{ transform: `translate(${at.left}px, ${at.top}px)` }} />}
    </div>
  );
}
