// npm run bench -- board [--quick] [--scenes=1x30,1x30+flood,10x300] [--strokes=20]
// How long a stroke takes from the pen of one page to the pixels of another, and the processor time of each of its calls, next to bare parts that do
// the same work. With `+flood`, one more participant draws as much as it can. It asserts no times. It fails if a stroke does not arrive.
import { parseArgs } from 'node:util';
import { Class } from './class.ts';
import { measureBare } from './bare.ts';
import { percentile, printTable } from '../results/print.ts';
import { Scene } from '../../load/page/scene.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, scenes: { type: 'string' }, strokes: { type: 'string' } } });
const SCENES = (flags.scenes ?? '1x30,1x30+flood,10x300').split(',').map((text) => {
  const [people = '', flood] = text.split('+');
  const [drawers = 1, viewers = 1] = people.split('x').map(Number);
  return { drawers, viewers, isFlooded: flood === 'flood' };
});
const STROKES = Number(flags.strokes ?? (flags.quick ? 5 : 20));

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);
const ms = (value: number) => `${Math.round(value)} ms`;

async function measure(scene: Scene, { drawers, viewers, isFlooded }: (typeof SCENES)[number]): Promise<(string | number)[]> {
  say(`${drawers} ${drawers === 1 ? 'drawer' : 'drawers'} and ${viewers} viewers enter`);
  const lesson = await Class.open(scene, drawers, viewers);
  try {
    say('they are here; strokes are drawn');
    const { latencies, calls, cpu, seconds, flood } = await lesson.draw(STROKES, isFlooded);
    if (isFlooded) say(`of the flood, ${flood.taken} calls were taken and ${flood.refused} refused`);
    say(`${latencies.length} points of ${STROKES} strokes were seen; the bare parts do the same`);
    const bare = await measureBare(scene, { sid: lesson.sid, calls, seconds });
    const total = Object.values(cpu).reduce((sum, value) => sum + value, 0) / calls;
    for (const [name, value] of Object.entries(cpu)) say(`${name}: ${Math.round(value / calls)} µs a call`);
    return [
      `${drawers} drawing, ${viewers} looking${isFlooded ? ', a flood' : ''}`,
      ...[0.5, 0.95, 0.99].map((share) => ms(percentile(latencies, share))),
      (calls / seconds).toFixed(1),
      Math.round(total),
      Math.round(bare),
      (bare / total).toFixed(2),
    ];
  } finally {
    await lesson.close();
  }
}

let scene: Scene | undefined;
try {
  say('starting the stack');
  scene = await Scene.start();
  const rows = [];
  for (const one of SCENES) rows.push(await measure(scene, one));
  printTable('from the pen to the pixels of another page, and processor time', [
    ['class', 'p50', 'p95', 'p99', 'calls/s', 'µs a call', 'bare', 'bare/ours'],
    ...rows,
  ]);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await scene?.stop();
  say('ended');
}
