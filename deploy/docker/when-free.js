'use strict';

/**
 * Ends when this recorder has no capture under way: what a pod that is to go does before its SIGTERM, after which a recorder is
 * given 25 s. Once the probes are gone so is the recorder, and there is nothing to wait for.
 */
const { setTimeout: sleep } = require('node:timers/promises');

const ADDRESS = `http://127.0.0.1:${process.env.PROBE_PORT ?? 9090}/metrics`;
const EVERY_MS = 500;
const MOST_REFUSALS = 10;

/** @param {string} text @param {string} name @returns {number | undefined} */
function valueOf(text, name) {
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.]+)`, 'm').exec(text);
  return found ? Number(found[1]) : undefined;
}

/** @returns {Promise<boolean>} @throws where nobody answers */
async function isFree() {
  const answer = await fetch(ADDRESS, { signal: AbortSignal.timeout(5_000) });
  const text = await answer.text();
  const slots = valueOf(text, 'classroom_recorder_slots');
  return slots !== undefined && valueOf(text, 'classroom_recorder_free_slots') === slots;
}

async function main() {
  for (let refusals = 0; refusals < MOST_REFUSALS; ) {
    try {
      if (await isFree()) return;
      refusals = 0;
    } catch {
      refusals += 1;
    }
    await sleep(EVERY_MS);
  }
}

void main();
