import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLongForm } from '@classroom/testing';
import { HostileScene, isInForm, type Memory } from './hostile/scene.js';
import { STRANGER } from './hostile/stranger.js';
import { STUDENT } from './hostile/student.js';
import { TENANT } from './hostile/tenant.js';
import { WORKER } from './hostile/worker.js';

const MIB = 1024 ** 2;
/** The chart's limit of a gateway's memory. */
const GATEWAY_BYTES = 768 * MIB;
/** By how much all attacks together may let Redis and the streams grow. */
const GROWTH_BYTES = 64 * MIB;
/** What the long form measured last. */
const RESULTS = join(__dirname, 'hostile', 'measured.json');

const quantile = (times: number[], share: number) => Math.round([...times].sort((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0);

/** Attackers with one credential each, while other schools work. No attack may reach their data, change it, or disturb them. */
describe('a hostile caller', () => {
  let scene: HostileScene;
  let state: unknown;
  let memory: Memory;

  beforeAll(async () => {
    scene = await HostileScene.start();
    state = await scene.state();
    memory = await scene.memory();
  });
  afterAll(() => scene?.stop());

  afterEach(async () => {
    await scene.observe();
    expect([scene.disturbed.failed.splice(0), scene.leaks.splice(0)]).toEqual([[], []]);
  });

  describe.each(Object.entries({ 'that is a stranger': STRANGER, 'in a class': STUDENT, 'with an organization': TENANT }))(
    '%s',
    (_, attacks) => {
      it.each(Object.entries(attacks).filter(isInForm))('%s', (__, attack) => attack(scene));
    },
  );

  describe('that has taken over a media worker', () => {
    it.each(Object.entries(WORKER))('%s', (_, attack) => attack(scene));
  });

  it('has changed nothing that the schools see', async () => {
    expect(await scene.state()).toEqual(state);
  });

  it('has filled neither Redis nor the gateway nor the streams', async () => {
    const { redis, gateway, streams } = await scene.memory();
    expect([redis - memory.redis < GROWTH_BYTES, gateway < GATEWAY_BYTES, streams - memory.streams < GROWTH_BYTES]).toEqual([
      true,
      true,
      true,
    ]);
    const timesOf = ({ times }: HostileScene['quiet']) => ({
      requests: times.length,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
    });
    const measured = {
      before: timesOf(scene.quiet),
      meanwhile: timesOf(scene.disturbed),
      gatewayPeakMiB: Math.round(gateway / MIB),
      redisGrowthMiB: Math.round((redis - memory.redis) / MIB),
      streamsGrowthMiB: Math.round((streams - memory.streams) / MIB),
    };
    process.stdout.write(`neighbours of hostile callers: ${JSON.stringify(measured)}\n`);
    if (isLongForm) writeFileSync(RESULTS, `${JSON.stringify(measured, null, 2)}\n`);
  });
});
