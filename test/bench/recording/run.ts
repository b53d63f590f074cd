// npm run bench -- recording [--quick] [--seconds=N] [--only=<words of a scene's name>] [--json=<file>]
// Measures the films of the embedded recorder and their cost, compared with the bare parts. It only asserts that films are made.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { encodingFloor } from './floor.ts';
import { measure, measureReceiving, type Received, type Scene, type Run } from './measure.ts';
import { publish } from '../results/results.ts';
import { nameOf, printBare, printCpu, printFilms, toComparison } from './report.ts';
import { Studio } from './studio.ts';

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, seconds: { type: 'string' }, only: { type: 'string' }, json: { type: 'string' } },
});
const SECONDS = Number(flags.seconds ?? (flags.quick ? 15 : 60));
const BARE_SECONDS = flags.quick ? 6 : 15;
const SLOTS = 2;
/** The encoder settings that the recorder uses. */
const PRESETS: Record<string, { size: string; bitRate: string }> = {
  H264_720P_30: { size: '1280x720', bitRate: '3000k' },
  H264_1080P_30: { size: '1920x1080', bitRate: '4500k' },
};

const QUICK: Scene[] = [
  { preset: 'H264_720P_30', layout: 'grid', people: 4 },
  { preset: 'H264_720P_30', layout: 'grid', people: 9 },
  { preset: 'H264_1080P_30', layout: 'speaker', people: 4 },
  { preset: 'H264_720P_30', layout: 'grid', people: 4, classes: 2 },
  { preset: 'H264_720P_30', layout: 'grid', people: 9, isBusy: true },
];

function allScenes(): Scene[] {
  const layouts = [
    ['H264_720P_30', 'grid'],
    ['H264_1080P_30', 'grid'],
    ['H264_1080P_30', 'speaker'],
  ] as const;
  return layouts.flatMap(([preset, layout]) =>
    [4, 9].flatMap((people) => [1, 2].flatMap((classes) => [false, true].map((isBusy) => ({ preset, layout, people, classes, isBusy })))),
  );
}

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);
const machine = () =>
  `${os.cpus().length} cores, load ${os
    .loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`;

/** The other scenes are still measured. */
function failed(scene: Scene, error: unknown) {
  say(`${nameOf(scene)} failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function run(studio: Studio) {
  const scenes = (flags.quick ? QUICK : allScenes()).filter((scene) => nameOf(scene).includes(flags.only ?? ''));
  say(`starting the recorder and its parts (${machine()})`);
  await studio.start();
  const runs: Run[] = [];
  const floors = new Map<string, number>();
  const received = new Map<number, Received>();
  try {
    for (const preset of new Set(scenes.map((scene) => scene.preset)))
      floors.set(preset, await encodingFloor(PRESETS[preset], BARE_SECONDS));
    for (const people of new Set(scenes.map((scene) => scene.people)))
      received.set(people, await measureReceiving(studio, people, BARE_SECONDS));
    for (const scene of scenes) {
      say(`${nameOf(scene)} (${machine()})`);
      const run = await measure(studio, scene, SECONDS).catch((error) => failed(scene, error));
      studio.signal.throwIfAborted();
      if (run) runs.push(run);
    }
  } finally {
    // Prints the results that were measured before a failure, too.
    const print = () => {
      printFilms(runs);
      printCpu(runs, floors, received);
      printBare(floors, received);
    };
    const results = runs.map((run) => toComparison(run, floors.get(run.scene.preset) ?? NaN, received.get(run.scene.people) as Received));
    await publish([{ print, results }], flags.json);
  }
}

async function main() {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(new Error(`interrupted by ${name}`)));
  const studio = new Studio({ slots: SLOTS, signal: abort.signal });
  try {
    await run(studio);
  } catch (error) {
    const why = abort.signal.aborted ? abort.signal.reason : error;
    console.error(`The benchmark failed: ${why instanceof Error ? why.message : why}`);
    process.exitCode = 1;
  } finally {
    await studio.stop();
    say(`ended (${machine()})`);
  }
}

void main();
