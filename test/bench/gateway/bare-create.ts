// Calls createRoom of LiveKit's own SDK with a given concurrency; with rows, a room is reserved in Postgres before it and confirmed after it, each
// in a commit of its own. Each message from the parent process starts one load.
import { RoomServiceClient } from 'livekit-server-sdk';
import { Pool } from 'pg';
import type { Outcome } from '../load/wrk.ts';

const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, DATABASE_URL } = process.env;
const client = new RoomServiceClient(LIVEKIT_URL ?? '', LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { failover: false });

const pool = new Pool({ connectionString: DATABASE_URL, max: 10 });

interface Order {
  connections: number;
  seconds: number;
  prefix: string;
  withRows: boolean;
}

async function create(name: string, withRows: boolean) {
  if (withRows) await pool.query({ name: 'reserve', text: `INSERT INTO bench.rooms VALUES ($1, 'creating', now())`, values: [name] });
  await client.createRoom({ name, emptyTimeout: 600, maxParticipants: 1000 });
  if (withRows) await pool.query({ name: 'confirm', text: `UPDATE bench.rooms SET state = 'created' WHERE name = $1`, values: [name] });
}

async function load({ connections, seconds, prefix, withRows }: Order): Promise<Outcome> {
  const took: number[] = [];
  let refused = 0;
  let number = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const one = async () => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      await create(`${prefix}-${(number += 1)}`, withRows).catch(() => (refused += 1));
      took.push(performance.now() - now);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { requests: took.length, seconds: (performance.now() - started) / 1000, p50: at(0.5), p99: at(0.99), refused, broken: 0 };
}

async function main() {
  await pool.query(
    'CREATE SCHEMA bench; CREATE TABLE bench.rooms (name text PRIMARY KEY, state text NOT NULL, created_at timestamptz NOT NULL)',
  );
  process.on('message', (order: Order) => void load(order).then((outcome) => process.send?.(outcome)));
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

void main();
