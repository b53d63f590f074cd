import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { visibleRange, rowOffsets } from './people-rows.js';

/** Rows are rendered this far beyond the visible part, in rem, so that neither scrolling nor the Tab key reaches a gap. */
const MARGIN = 20;

interface Props<R extends { key: string }> {
  label: string;
  rows: readonly R[];
  /** In rem: rows grow with the user's font size. */
  heightOf(row: R): number;
  children(row: R): ReactNode;
}

/** A list of any length that renders only the visible rows and a margin. */
export function WindowedList<R extends { key: string }>({ label, rows, heightOf, children }: Props<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0, rem: 16 });
  useEffect(() => {
    const { current } = scroller;
    if (!current) return undefined;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setView({ top: current.scrollTop, height: current.clientHeight, rem });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, []);
  const offsets = useMemo(() => rowOffsets(rows.map(heightOf)), [rows, heightOf]);
  const [first, end] = visibleRange(offsets, view.top / view.rem - MARGIN, (view.top + view.height) / view.rem + MARGIN);
  return (
    <div className="windowed" ref={scroller} tabIndex={0}>
      <ul aria-label={label} style={{ blockSize: `${offsets.at(-1) ?? 0}rem` }}>
        {rows.slice(first, end).map((row, index) => (
          <li
            key={row.key}
            aria-setsize={rows.length}
            aria-posinset={first + index + 1}
            style={{ insetBlockStart: `${offsets[first + index] ?? 0}rem`, blockSize: `${heightOf(row)}rem` }}
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </div>
  );
}
