import { useRef, type CSSProperties } from 'react';
import type { ClassStore } from '../../class/class-store.js';
import { useClassField } from '../parts/use-class-field.js';

/** The most reactions shown at once; more would hide the class. */
const MAX_SHOWN = 20;
/** Horizontal and vertical positions: enough that no reaction covers another. */
const LANES = 6;
const ROWS = 4;

/** Recent reactions, rising over the stage. Hidden from screen readers: announcing applause would drown out the lesson. */
export function Reactions({ store }: { store: ClassStore }) {
  const reactions = useClassField(store, 'reactions');
  const positionOf = useLanePositions(reactions.map(({ id }) => id));
  return (
    <div className="reactions" aria-hidden>
      {reactions.slice(-MAX_SHOWN).map(({ id, emoji, name }) => (
        <div key={id} className="reaction" style={positionOf(id)} data-reaction-shown={emoji}>
          <span className="reaction-emoji">{emoji}</span>
          <bdi className="reaction-name">{name}</bdi>
        </div>
      ))}
    </div>
  );
}

/** Each reaction keeps the same position while it is shown. */
function useLanePositions(ids: readonly string[]): (id: string) => CSSProperties {
  const positions = useRef({ next: 0, places: new Map<string, number>() });
  const { current } = positions;
  const before = current.places;
  current.places = new Map(ids.map((id) => [id, before.get(id) ?? current.next++]));
  return (id) => {
    const place = current.places.get(id) ?? 0;
    return { '--lane': place % LANES, '--row': Math.floor(place / LANES) % ROWS } as CSSProperties;
  };
}
