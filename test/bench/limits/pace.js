'use strict';

const { setTimeout: sleep } = require('node:timers/promises');

/**
 * Begins `work` so many times a second, evenly and in an open loop: what takes long holds up nothing after it.
 * @template T @param {{ seconds: number, perSecond: number }} pace @param {(n: number) => Promise<T>} work @returns {Promise<T[]>}
 */
async function evenly({ seconds, perSecond }, work) {
  const begun = performance.now();
  const under = [];
  for (let n = 0; n < seconds * perSecond; n += 1) {
    under.push(work(n));
    await sleep(Math.max(0, begun + ((n + 1) * 1000) / perSecond - performance.now()));
  }
  return Promise.all(under);
}

module.exports = { evenly };
