import { PATHS } from '../results/paths.ts';
import { printTable } from '../results/print.ts';
import { toResult, type Cpu, type Result } from '../results/results.ts';
import type { Received, Scene, Run } from './measure.ts';

const TARGET = { fps: 29.5, offsetMs: 80, cpu: 60 };

const round = (value: number, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '–');
const signed = (value: number) => (Number.isFinite(value) ? `${value >= 0 ? '+' : ''}${value.toFixed(0)}` : '–');

export const nameOf = ({ preset, layout, people, classes = 1, isBusy }: Scene) =>
  `${preset.slice('H264_'.length).toLowerCase()} ${layout}, ${people} tiles${classes > 1 ? `, ${classes} at once` : ''}${isBusy ? ', busy' : ''}`;

/** Frames a second of the source. */
const SOURCE_FPS = 30;

/** Compares a film's frames, and their cost until the film's end, with those that a receiver without a browser gets, encoded by x264 alone. */
export function toComparison({ scene, films, parts }: Run, floor: number, received: Received): Result {
  /** @param perMinute CPU seconds a minute by process */
  const minute = (fps: number, perMinute: Cpu) => ({
    units: fps * 60,
    seconds: 60,
    cpu: Object.fromEntries(Object.entries(perMinute).map(([name, seconds]) => [name, seconds * 1e6])),
  });
  const fps = films.reduce((sum, film) => sum + film.fps, 0) / films.length;
  // The encoder encodes all frames of the source; the receiver may miss some.
  const bare = minute(received.fps, { encoder: (floor * received.fps) / SOURCE_FPS, receiver: received.cpu });
  return toResult({ ...PATHS.recording, path: `${PATHS.recording.path}, ${nameOf(scene)}` }, { ours: [minute(fps, parts)], bare: [bare] });
}

/** Prints one line per film: a run with two concurrent films has two lines. */
export function printFilms(runs: readonly Run[]) {
  const rows = runs.flatMap(({ scene, films, late, cpu }) =>
    films.map((film) => {
      const isMost = scene.preset === 'H264_720P_30' && scene.people === 9;
      const misses = [
        film.fps < TARGET.fps && 'rate',
        // A film without marks to compare has NaN here and must not pass.
        !(Math.abs(film.meanOffset) <= TARGET.offsetMs && Math.abs(film.worstOffset) <= TARGET.offsetMs) && 'sync',
        isMost && cpu > TARGET.cpu && 'CPU',
      ].filter(Boolean);
      const { skipped, doubled, unreadable, sources } = film;
      return [
        nameOf(scene),
        round(film.seconds, 1),
        round(film.fps, 1),
        round(film.longestGap),
        `${skipped} of ${sources}`,
        doubled,
        unreadable,
        late,
        signed(film.meanOffset),
        signed(film.worstOffset),
        `${film.paired}/${film.flashes}`,
        misses.join(', ') || 'reached',
      ];
    }),
  );
  const head = ['film', 'seconds', 'fps', 'gap ms', 'skipped', 'doubled', 'unread', 'late', 'offset ms', 'worst', 'marks', 'aim'];
  printTable(`Films (aim: ${TARGET.fps} fps, picture within ${TARGET.offsetMs} ms of its sound; + is a late picture)`, [head, ...rows]);
}

export function printCpu(runs: readonly Run[], floors: ReadonlyMap<string, number>, received: ReadonlyMap<number, { cpu: number }>) {
  const rows = runs.map(({ scene, cpu, parts, cutCpu, publishersCpu, livekitCpu, busyCores, ownCores }) => {
    const chromium = Object.entries(parts)
      .filter(([kind]) => kind.startsWith('chromium'))
      .reduce((sum, [, value]) => sum + value, 0);
    const bare = (floors.get(scene.preset) ?? NaN) + (received.get(scene.people)?.cpu ?? NaN);
    return [
      nameOf(scene),
      round(cpu, 1),
      round(chromium, 1),
      round(parts.node ?? 0, 1),
      round(cutCpu, 1),
      round(bare, 1),
      `${round(cpu / bare, 2)} ×`,
      round(publishersCpu, 1),
      round(livekitCpu, 1),
      round(ownCores, 2),
      round(Math.max(0, busyCores - ownCores), 2),
    ];
  });
  const head = [
    'CPU seconds a recorded minute',
    'recorder',
    'Chromium',
    'node',
    '+ file',
    'bare',
    'ratio',
    'publishers',
    'LiveKit',
    'own cores',
    'others’ cores',
  ];
  printTable(`CPU (aim: recorder under ${TARGET.cpu} at 720p30 with 9 tiles; publishers and LiveKit are not in it)`, [head, ...rows]);
}

export function printBare(floors: ReadonlyMap<string, number>, received: ReadonlyMap<number, Received>) {
  const encoding = [...floors].map(([preset, cpu]) => [`x264 ultrafast, ${preset}`, round(cpu, 1), '', '', '', '']);
  const receiving = [...received].map(([people, one]) => [
    `rtc-node receives ${people}`,
    round(one.cpu, 1),
    round(one.fps, 1),
    `${one.skipped} of ${one.sources}`,
    one.doubled,
    one.unreadable,
  ]);
  printTable('Bare parts', [['', 'CPU s/min', 'fps', 'skipped', 'doubled', 'unread'], ...encoding, ...receiving]);
}
