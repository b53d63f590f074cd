'use strict';

// Webhooks through gateway, room and billing until the last one is a session, beside JetStream and one insert for each.
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const { cpuOf, difference } = require('../load/processes');
const { sendAll } = require('./requests');
const { comingsAndGoings, toRequests } = require('./webhooks');
const { median, printTable, thousands } = require('./print');

const ORGANIZATION = 'bench-fold';
const CONNECTIONS = 16;
const WARM_UP_PEOPLE = 4;
const REST_MS = 500;

/** @typedef {{ events: number, seconds: number, steps: Record<string, number>, cpu: Record<string, number> }} Round `steps`: seconds to the end of each */

/** @param {import('./stack').BenchStack} bench @param {{ rooms: number, people: number, rounds: number, say: (line: string) => void }} options */
async function measureFold(bench, { rooms, people, rounds, say }) {
  const bare = await bench.spawn('bare-fold.js');
  await bench.makeOrganizations([ORGANIZATION]);
  const { livekitApiKey: key, livekitApiSecret: secret } = bench.stack.secrets;
  /** @param {string} name @param {number} each */
  const ours = async (name, each) => {
    const sids = [...(await bench.makeRooms(ORGANIZATION, Array.from({ length: rooms }, (_, number) => `${name}-${number}`))).values()];
    const bodies = comingsAndGoings(sids, each);
    const requests = toRequests({ key, secret }, bodies);
    return { bodies, run: () => fold(bench, sids, requests) };
  };
  const warmUp = await ours('warm-up', WARM_UP_PEOPLE);
  await warmUp.run();
  await bareRound(bench, bare, warmUp.bodies);
  /** @type {Record<'ours' | 'bare', Round[]>} */
  const all = { ours: [], bare: [] };
  for (let round = 1; round <= rounds; round += 1) {
    const next = await ours(`round-${round}`, people);
    await sleep(REST_MS);
    all.bare.push(await bareRound(bench, bare, next.bodies));
    await sleep(REST_MS);
    all.ours.push(await next.run());
    say(`fold, round ${round} of ${rounds}: ${Object.entries(all).map(([side, it]) => `${side} ${thousands(rate(it[round - 1]))}/s`).join(', ')}`);
  }
  return () => print(all);
}

/** @param {import('./stack').BenchStack} bench @param {string[]} sids @param {Buffer[]} requests @returns {Promise<Round>} */
async function fold(bench, sids, requests) {
  const before = cpuOf(bench.pids());
  const started = performance.now();
  const count = async (/** @type {string} */ text) => (await bench.sql(text, [sids]))[0].count;
  const stored = sendAll(bench.gatewayPort, requests, CONNECTIONS).then(() => performance.now() - started);
  const present = bench.until(async () =>
    (await count('SELECT count(*)::int AS count FROM room.connections WHERE sid = ANY($1) AND is_final')) * 2 === requests.length, started, 'the presence');
  const [storedMs, presentMs] = await Promise.all([stored, present]);
  // Not by count alone: each interval stands in its last version.
  const foldedMs = await bench.until(async () =>
    (await count(`SELECT count(*)::int AS count FROM room.connections c LEFT JOIN billing.sessions s USING (connection_sid)
                   WHERE c.sid = ANY($1) AND s.version IS DISTINCT FROM c.version`)) === 0, started, 'the fold');
  const steps = { stored: storedMs / 1000, present: presentMs / 1000, folded: foldedMs / 1000 };
  return { events: requests.length, seconds: foldedMs / 1000, steps, cpu: difference(before, cpuOf(bench.pids())) };
}

/** @param {import('./stack').BenchStack} bench @param {import('node:child_process').ChildProcess} bare @param {string[]} bodies @returns {Promise<Round>} */
async function bareRound(bench, bare, bodies) {
  const { nats, postgres } = bench.pids();
  const pids = { nats, postgres, 'bare process': bare.pid ?? 0 };
  const before = cpuOf(pids);
  const answer = once(bare, 'message', { signal: bench.options.signal });
  bare.send(bodies);
  const [{ seconds, published }] = await answer;
  return { events: bodies.length, seconds, steps: { stored: published, folded: seconds }, cpu: difference(before, cpuOf(pids)) };
}

const rate = (/** @type {Round} */ { events, seconds }) => events / seconds;

/** @param {Record<'ours' | 'bare', Round[]>} all */
function print({ ours, bare }) {
  const processes = ['gateway', 'room', 'billing', 'bare process', 'nats', 'redis', 'postgres'];
  const row = (/** @type {string} */ name, /** @type {Round[]} */ rounds) => {
    const step = (/** @type {string} */ of) => median(rounds.map((it) => it.steps[of] ?? NaN)).toFixed(2).replace('NaN', '-');
    const events = rounds.reduce((sum, it) => sum + it.events, 0);
    const cpu = processes.map((of) => (of in rounds[0].cpu ? (rounds.reduce((sum, it) => sum + it.cpu[of], 0) / events).toFixed(0) : '-'));
    return [name, thousands(median(rounds.map(rate))), step('stored'), step('present'), step('folded'), ...cpu];
  };
  printTable(`participant events: webhook to session, ${thousands(ours[0].events)} a round (seconds to the end of each step; CPU in µs an event)`,
    [['', 'events/s', 'stored', 'present', 'folded', ...processes], row('ours', ours), row('bare', bare)]);
  console.log(`  ours / bare rate: ${(median(ours.map(rate)) / median(bare.map(rate))).toFixed(2)}`);
}

module.exports = { measureFold };
