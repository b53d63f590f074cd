import type { Server } from 'node:http';
import { Announcer, Connections } from './connections.js';
import { Control, createSimulatorServer } from './http.js';
import { EventLog } from './event-log.js';
import { noFaults } from './faults.js';
import { SimulatedNode } from './node.js';
import { Pace } from './pace.js';
import { SeededRandom } from './random.js';
import { RoomService } from './room-service.js';
import { Truth } from './truth.js';
import { WebhookNotifier } from './webhooks/notifier.js';

export interface SimulatorOptions {
  apiKey: string;
  apiSecret: string;
  webhookUrls: string[];
  timeScale: number;
  seed: number;
  eventLog?: string;
}

const sweepEveryMs = 1_000;

/** Creates one simulated LiveKit; the caller calls `listen` on the returned server. */
export function createSimulator(options: SimulatorOptions): Server {
  const { apiKey, apiSecret } = options;
  const keys = new Map([[apiKey, apiSecret]]);
  const pace = new Pace(options.timeScale);
  const random = new SeededRandom(options.seed);
  const log = new EventLog(options.eventLog);
  const faults = noFaults();
  const truth = new Truth();
  const notifiers = options.webhookUrls.map((url) => new WebhookNotifier({ url, apiKey, apiSecret, pace, faults, random, log }));
  const announcer = new Announcer(notifiers, log);
  const connections = new Connections(pace, truth, announcer, log);
  const node = new SimulatedNode(pace, connections, announcer, random);
  const service = new RoomService(node, faults);
  const control = new Control(keys, node, service, truth, notifiers, faults);
  const sweep = setInterval(() => node.sweep(), Math.max(10, pace.toReal(sweepEveryMs)));
  const server = createSimulatorServer({ keys, node, service, control, faults });
  return server.on('close', () => clearInterval(sweep));
}
