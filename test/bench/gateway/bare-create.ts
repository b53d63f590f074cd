// Calls createRoom of LiveKit's own SDK with a given concurrency. Each message from the parent process starts one load.
import { RoomServiceClient } from 'livekit-server-sdk';
import type { Outcome } from '../load/wrk.ts';

const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = process.env;
const client = new RoomServiceClient(LIVEKIT_URL ?? '', LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { failover: false });

interface Order {
  connections: number;
  seconds: number;
  prefix: string;
}

async function load({ connections, seconds, prefix }: Order): Promise<Outcome> {
  const took: number[] = [];
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
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { requests: took.length, seconds: (performance.now() - started) / 1000, p50: at(0.5), p99: at(0.99), refused, broken: 0 };
}

process.on('message', (order: Order) => void load(order).then((outcome) => process.send?.(outcome)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
