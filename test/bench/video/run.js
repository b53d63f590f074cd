'use strict';

// node test/bench/video/run.js [--quick] [--only=job,delivery,upload]
// Stored video beside the bare parts it is made of, in one run. It asserts no time; a wrong answer fails it.
const { parseArgs } = require('node:util');
const { requireWrk } = require('../load/wrk');
const { measureDelivery } = require('./delivery');
const { measureJob } = require('./job');
const { BenchStack } = require('./stack');
const { measureUpload } = require('./upload');

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const WORKS = (flags.only ?? 'job,delivery,upload').split(',');
const PLAN = flags.quick
  ? { job: { seconds: 20, rounds: 1 }, delivery: { seconds: 3, rounds: 1 }, upload: { megabytes: 64, rounds: 2 } }
  : { job: { seconds: 60, rounds: 3 }, delivery: { seconds: 8, rounds: 3 }, upload: { megabytes: 256, rounds: 5 } };

const begun = Date.now();
const say = (/** @type {string} */ line) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);

/** @param {BenchStack} bench @param {Array<() => void>} tables */
async function measureAll(bench, tables) {
  const has = (/** @type {string} */ work) => WORKS.includes(work);
  if (has('job')) tables.push(await measureJob(bench, { ...PLAN.job, say }));
  if (has('delivery')) tables.push(await measureDelivery(bench, { ...PLAN.delivery, say }));
  if (has('upload')) tables.push(await measureUpload(bench, { ...PLAN.upload, say }));
}

async function main() {
  if (WORKS.includes('delivery')) await requireWrk();
  const bench = new BenchStack();
  const stop = () => bench.stop().then(() => process.exit(130));
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(name, () => void stop());
  /** @type {Array<() => void>} */
  const tables = [];
  try {
    say('starting the stack');
    await bench.start();
    await measureAll(bench, tables);
  } catch (error) {
    console.error(`The benchmark failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await bench.stop();
    // What was measured before a failure is told all the same.
    for (const print of tables) print();
    say('ended');
  }
}

void main();
