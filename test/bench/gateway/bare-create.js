'use strict';

// createRoom of LiveKit's own SDK, so many at a time; each order from the parent is one load.
const { RoomServiceClient } = require('livekit-server-sdk');

const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = process.env;
const client = new RoomServiceClient(LIVEKIT_URL ?? '', LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { failover: false });

/** @param {{ connections: number, seconds: number, prefix: string }} order @returns {Promise<import('../load/wrk').Outcome>} */
async function load({ connections, seconds, prefix }) {
  const took = [];
  let refused = 0;
  let number = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const one = async () => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      await client.createRoom({ name: `${prefix}-${(number += 1)}`, emptyTimeout: 600, maxParticipants: 1000 }).catch(() => (refused += 1));
      took.push(performance.now() - now);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  took.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { requests: took.length, seconds: (performance.now() - started) / 1000, p50: at(0.5), p99: at(0.99), refused, broken: 0 };
}

process.on('message', (order) => void load(/** @type {any} */ (order)).then((outcome) => process.send?.(outcome)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
