import { useEffect, useRef, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const dark = () => matchMedia('(prefers-color-scheme: dark)');
const subscribe = (listener: () => void) => {
  const query = dark();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Whether the page is dark now. A canvas has to be drawn again when that changes. */
const useIsDark = (): boolean => useSyncExternalStore(subscribe, () => dark().matches);

/** The color that a design token has in the present theme, as a canvas needs it. */
function colorOf(element: HTMLElement, token: string): string {
  const { color } = element.style;
  element.style.color = `var(${token})`;
  const resolved = getComputedStyle(element).color;
  element.style.color = color;
  return resolved;
}

interface ChartProps {
  /** What the chart shows, for a screen reader. */
  label: string;
  /** Positions on the horizontal axis: seconds since 1970, ascending. */
  times: readonly number[];
  values: readonly number[];
  kind: 'bars' | 'steps';
  /** Seconds between two bars. Default: a day. */
  barS?: number;
  /** In which times are shown: days are in UTC. */
  timeZone?: 'UTC';
  format: (value: number) => string;
  formatTime: (seconds: number) => string;
  onChoose?: (index: number) => void;
}

const HEIGHT = 220;
const DAY_S = 86_400;

/** A fifth of a computed color, `rgb(1, 2, 3)`. */
const translucent = (color = '') => color.replace('rgb(', 'rgba(').replace(')', ', 0.2)');

const pathsOf = (kind: ChartProps['kind']) =>
  kind === 'bars' ? uPlot.paths.bars?.({ size: [0.7, 40], align: 0, radius: 0.2 }) : uPlot.paths.stepped?.({ align: 1 });

export default function LoadedChart({ label, times, values, kind, barS = DAY_S, timeZone, format, formatTime, onChoose }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  // Functions are new with each rendering and must not draw the chart again.
  const latest = useRef({ format, formatTime, onChoose });
  latest.current = { format, formatTime, onChoose };

  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const [accent, muted, line] = ['--accent', '--muted', '--line'].map((token) => colorOf(current, token));
    const axis = {
      stroke: muted,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      font: `12px ${getComputedStyle(current).fontFamily}`,
    };
    const chart = new uPlot(
      {
        width: current.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'steps' } },
        tzDate: (seconds) => (timeZone === 'UTC' ? uPlot.tzDate(new Date(seconds * 1000), 'UTC') : new Date(seconds * 1000)),
        scales: {
          // Half of the first and the last bar would be outside.
          x: { range: (_, min, max) => (kind === 'bars' ? [min - barS / 2, max + barS / 2] : [min, max]) },
          y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
        },
        axes: [
          {
            ...axis,
            size: 32,
            grid: { show: false },
            values: (_, splits) => splits.map((split) => latest.current.formatTime(split)),
            space: 70,
          },
          {
            ...axis,
            size: 60,
            values: (_, splits) => splits.map((split) => (Number.isInteger(split) ? latest.current.format(split) : '')),
          },
        ],
        series: [
          {},
          { stroke: accent, width: 2, fill: kind === 'bars' ? accent : translucent(accent), paths: pathsOf(kind), points: { show: false } },
        ],
        hooks: {
          setCursor: [
            ({ cursor, data }) => {
              const index = cursor.idx;
              if (!tip.current) return;
              const [time, value] = index == null ? [] : [data[0][index], data[1]?.[index]];
              tip.current.textContent =
                time === undefined || value == null ? '' : `${latest.current.formatTime(time)}: ${latest.current.format(value)}`;
            },
          ],
        },
      },
      [[...times], values.map((value) => (kind === 'bars' ? value || null : value))],
      current,
    );
    const choose = () => {
      if (chart.cursor.idx != null) latest.current.onChoose?.(chart.cursor.idx);
    };
    chart.over.addEventListener('click', choose);
    const resize = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: HEIGHT }));
    resize.observe(current);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [times, values, kind, barS, timeZone, isDark]);

  return (
    <figure className="chart" data-clickable={onChoose !== undefined}>
      <div ref={element} role="img" aria-label={label} />
      <figcaption ref={tip} className="chart-tip quiet" aria-hidden />
    </figure>
  );
}
