import { performance } from 'node:perf_hooks';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { DataPacket_Kind, RoomServiceClient } from 'livekit-server-sdk';
import { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { natsOptions } from '../../../tools/stack/index.ts';
import type { Scene } from '../../load/page/scene.ts';
import { cpuOf, difference, ownCpu } from '../load/processes.ts';

/** Bytes of an element in the middle of a stroke. */
const ELEMENT = JSON.stringify({ type: 'freedraw', points: Array.from({ length: 60 }, (_, n) => [n * 1.25, n * 2.5]) });

/**
 * What no board does without: each call is stored in JetStream, inserted into Postgres in a commit of its own, and sent to the same class as one
 * packet of LiveKit.
 * @returns microseconds of processor time a call, of all processes
 */
export async function measureBare(scene: Scene, { sid, calls, seconds }: { sid: string; calls: number; seconds: number }): Promise<number> {
  const { urls, secrets, parts } = scene.stack;
  const nats = await connect({ ...natsOptions(urls.nats), noAsyncTraces: true });
  const pool = new Pool({ connectionString: urls.postgresAdmin, max: 4 });
  const livekit = new RoomServiceClient(urls.livekit, secrets.livekitApiKey, secrets.livekitApiSecret, { failover: false });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: 'BENCH_BOARD', subjects: ['bench.board'] }).catch(() => undefined);
  await pool.query(
    'CREATE SCHEMA IF NOT EXISTS bench; CREATE TABLE IF NOT EXISTS bench.elements (id text PRIMARY KEY, element text NOT NULL)',
  );
  const pids = Object.fromEntries((['nats', 'postgres', 'livekit'] as const).map((name) => [name, parts[name].pid ?? 0]));
  try {
    const [before, own, began] = [cpuOf(pids), ownCpu(), performance.now()];
    for (let n = 0; n < calls; n++) {
      await jetstream(nats).publish('bench.board', ELEMENT);
      await pool.query({ name: 'insert', text: 'INSERT INTO bench.elements VALUES ($1, $2)', values: [`${sid}-${n}`, ELEMENT] });
      await livekit.sendData(sid, Buffer.from(ELEMENT), DataPacket_Kind.RELIABLE, { topic: 'bench' });
      // At the pace of the board, so that the parts do as much else.
      await sleep(Math.max(0, began + ((n + 1) * seconds * 1_000) / calls - performance.now()));
    }
    const used = difference(before, cpuOf(pids));
    return (Object.values(used).reduce((sum, value) => sum + value, 0) + ownCpu() - own) / calls;
  } finally {
    await manager.streams.delete('BENCH_BOARD').catch(() => undefined);
    await pool.end();
    await nats.close();
  }
}
