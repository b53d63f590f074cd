// npm run bench -- page [--minutes=10] [--publishers=25] [--students=200] [--processes=10]
// Measures one real page in a large class: long tasks, delay of clicks, and JS heap, per minute. It asserts no times.
import path from 'node:path';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { nodeBinary } from '../../../tools/stack/toolchain.ts';
import { watchIdle } from './machine.ts';
import { Measure, PROBE } from './measure.ts';
import { Scene } from './scene.ts';
import type { Page } from 'playwright-core';

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string' }, publishers: { type: 'string' }, students: { type: 'string' }, processes: { type: 'string' } },
});
const MINUTES = Number(flags.minutes ?? 10);
const PUBLISHERS = Number(flags.publishers ?? 25);
const STUDENTS = Number(flags.students ?? 200);
/** Processes for the students. Several are needed, because in rtc-node every event goes to all rooms of its process. */
const PROCESSES = Number(flags.processes ?? 10);
const PUBLISHING_PROCESSES = 3;
const CLICK_MS = 3_000;
const SETTLE_MS = 15_000;
/** Idle share of the CPUs below which the page was starved: then the figures describe the machine, not the page. */
const SATURATED = 0.1;

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(4)} s] ${line}`);

const children: ChildProcess[] = [];

async function people(scene: Scene, roomId: string, role: string, count: number, publishes: boolean, processes: number) {
  const tokens = [];
  for (let i = 1; i <= count; i += 1) {
    const uid = `${role.toLowerCase()}-${i}`;
    tokens.push((await scene.join(roomId, { uid, name: `${role === 'STUDENT' ? 'Student' : 'Speaker'} ${i}`, role })).token);
  }
  const share = Math.ceil(count / processes);
  for (let i = 0; i < count; i += share) {
    const child = fork(path.join(import.meta.dirname, 'people.ts'), {
      execPath: nodeBinary(),
      env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    });
    children.push(child);
    child.send({ url: scene.livekitUrl, tokens: tokens.slice(i, i + share), publishes });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`people.ts ended with ${code}`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
  }
}

/** Measures one minute of the class. */
async function minute(page: Page, measure: Measure, idle: () => number) {
  const end = Date.now() + 60_000;
  const before = await measure.metrics();
  const framesBefore = await frames(page);
  await measure.take();
  idle();
  // Opens and closes the participant list all the time, as a teacher would.
  while (Date.now() < end) {
    await page.click('[data-action="people"]');
    await sleep(CLICK_MS);
  }
  const share = idle();
  const { tasks, clicks } = await measure.take();
  const shown = (await frames(page)) - framesBefore;
  const after = await measure.metrics();
  const drawn = clicks.map((click) => click.drawn).sort((a, b) => a - b);
  return {
    'long tasks': tasks.length,
    'longest, ms': Math.round(Math.max(0, ...tasks)),
    'blocked, ms': Math.round(tasks.reduce((sum, duration) => sum + duration - 50, 0)),
    'click delay, worst ms': Math.round(Math.max(...clicks.map(({ delay }) => delay))),
    'click drawn, median ms': Math.round(drawn[Math.floor(drawn.length / 2)] ?? NaN),
    'click drawn, worst ms': Math.round(drawn.at(-1) ?? NaN),
    'main thread, % of a CPU': Math.round(((after.busy - before.busy) / 60) * 100),
    'heap, MB': Number((after.heap / 1e6).toFixed(1)),
    'DOM nodes': after.nodes,
    listeners: after.listeners,
    'frames/s': Math.round(shown / 60),
    'CPU idle, %': Math.round(share * 100),
  };
}

/** Number of pictures that all tiles together have shown. */
const frames = (page: Page): Promise<number> =>
  page.evaluate(
    `[...document.querySelectorAll('.tile video')].reduce((sum, video) => sum + video.getVideoPlaybackQuality().totalVideoFrames, 0)`,
  );

async function run(scene: Scene) {
  const teacher = { uid: 'teacher', name: 'Ada Teacher', role: 'TEACHER' };
  const { roomId, iframeUrl } = await scene.room({
    title: 'A large class',
    participant: teacher,
    settings: { maxParticipants: PUBLISHERS + STUDENTS + 10 },
  });
  const browser = await scene.browser();
  // The page's own camera is switched off: it would take more CPU than all other pictures, and the test measures a page that only watches.
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  await context.addInitScript(PROBE);
  const page = await context.newPage();
  await page.goto(iframeUrl);
  await page.waitForSelector(':root[data-state=connected]');
  await page.click('[data-action="camera"]');
  const measure = new Measure(page);
  await measure.start();
  say(`the page is in class; ${PUBLISHERS} publishers come`);
  await people(scene, roomId, 'TEACHER', PUBLISHERS, true, PUBLISHING_PROCESSES);
  say(`${STUDENTS} students come`);
  await people(scene, roomId, 'STUDENT', STUDENTS, false, PROCESSES);
  await page.waitForSelector(`:root[data-participants="${PUBLISHERS + STUDENTS + 1}"]`, { timeout: 120_000 });
  const { tasks } = await measure.take();
  say(`all are here; while they came: ${tasks.length} long tasks, the longest ${Math.round(Math.max(0, ...tasks))} ms`);
  await sleep(SETTLE_MS);
  say(`${await page.locator('.tile').count()} tiles, ${await page.locator('.tile[data-picture=true]').count()} with a picture`);

  const idle = watchIdle();
  const rows = [];
  for (let i = 1; i <= MINUTES; i += 1) {
    const row = await minute(page, measure, idle);
    rows.push(row);
    say(`minute ${i} of ${MINUTES}: ${row['long tasks']} long tasks, heap ${row['heap, MB']} MB, CPU idle ${row['CPU idle, %']} %`);
  }
  console.table(rows);
  const least = Math.min(...rows.map((row) => row['CPU idle, %']));
  if (least < SATURATED * 100) say(`The machine was saturated (down to ${least} % idle): delays are its own as much as the page’s.`);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first && last) say(`Heap from minute 1 to ${MINUTES}: ${first['heap, MB']} to ${last['heap, MB']} MB.`);
  if ((await page.getAttribute(':root', 'data-state')) !== 'connected') throw new Error('the page did not stay in class');
}

async function main() {
  let scene: Scene | undefined;
  const ended = new Promise((_, reject) => {
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => reject(new Error(`interrupted by ${name}`)));
  });
  try {
    say('starting the stack');
    scene = await Scene.start();
    await Promise.race([run(scene), ended]);
  } catch (error) {
    process.stderr.write(`The load run failed: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  } finally {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exit = once(child, 'exit');
        child.kill();
        await exit;
      }),
    );
    await scene?.stop();
    say('ended');
  }
}

void main();
