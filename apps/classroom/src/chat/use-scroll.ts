import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const NEAR_EDGE_PX = 48;

interface Scroll {
  ref: RefObject<HTMLDivElement | null>;
  /** Number of new messages below the visible part. */
  unseen: number;
  onScroll(): void;
  scrollToEnd(): void;
}

/**
 * Follows the conversation while its end is visible, and otherwise keeps the position, even if older messages are inserted
 * above. `first` and `last` are the ids of the outermost messages; `own` increases with each message of the participant.
 */
export function useScroll({
  first,
  last,
  count,
  own,
  onTop,
}: {
  first: string;
  last: string;
  count: number;
  own: number;
  onTop(): void;
}): Scroll {
  const ref = useRef<HTMLDivElement>(null);
  const [unseen, setUnseen] = useState(0);
  const before = useRef({ first, last, count, own, height: 0, isAtEnd: true });

  const scrollToEnd = useCallback(() => {
    const { current } = ref;
    if (current) current.scrollTop = current.scrollHeight;
    before.current.isAtEnd = true;
    setUnseen(0);
  }, []);

  useLayoutEffect(() => {
    const { current } = ref;
    const known = before.current;
    if (!current) return;
    const isPrepended = known.first !== first && known.last === last && known.count > 0;
    if (isPrepended) current.scrollTop += current.scrollHeight - known.height;
    else if (known.isAtEnd || own > known.own) scrollToEnd();
    else if (known.last !== last) setUnseen((unseen) => unseen + Math.max(1, count - known.count));
    before.current = { ...before.current, first, last, count, own, height: current.scrollHeight };
  }, [first, last, count, own, scrollToEnd]);

  // An opening keyboard shrinks the list, and a failed message grows it. Both would move the end out of view.
  useEffect(() => {
    const { current } = ref;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => {
      if (before.current.isAtEnd) scrollToEnd();
    });
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scrollToEnd]);

  const onScroll = () => {
    const { current } = ref;
    if (!current) return;
    const isAtEnd = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_EDGE_PX;
    before.current.isAtEnd = isAtEnd;
    if (isAtEnd) setUnseen(0);
    if (current.scrollTop < NEAR_EDGE_PX && !isAtEnd) onTop();
  };
  return { ref, unseen, onScroll, scrollToEnd };
}
