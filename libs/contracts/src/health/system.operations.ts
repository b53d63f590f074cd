import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';
import { type AppName, defineRpc } from '../kernel/rpc.js';

const process = z.object({
  version: z.string().describe('Version of the release that it runs.'),
  roles: z.array(z.string()).max(2).describe('`service` answers calls, `worker` consumes events and jobs.'),
  startedAt: timestamp.describe('When it started.'),
  slots: z.number().int().nullable().describe('How many classes a recorder captures at once; null for others.'),
  freeSlots: z.number().int().nullable().describe('How many more it could capture now; null for others.'),
});
const queue = z.object({
  queue: z.string().describe('Name of the queue.'),
  overdueSeconds: z.number().describe('How late the work is that has waited longest; 0 if none is late.'),
});
const consumer = z.object({
  consumer: z.string().describe('Name of the consumer.'),
  waiting: z.number().int().describe('Messages that it has not finished.'),
  lagSeconds: z.number().describe('Age of the oldest of them.'),
});

/** What one process knows of itself, and of the queues and consumers of its service. */
const processReport = process.extend({ queues: z.array(queue).max(20), consumers: z.array(consumer).max(20) });
export type ProcessReport = z.infer<typeof processReport>;

/** Every process of an app answers, not one of them. */
const report = (service: AppName) =>
  defineRpc({ service, rpc: 'process.report', input: z.object({}), output: processReport, timeoutMs: 1_500, waitsForResponder: false });

export const processRpc = {
  gateway: report('gateway'),
  organization: report('organization'),
  room: report('room'),
  billing: report('billing'),
  recording: report('recording'),
  recorder: report('recorder'),
  media: report('media'),
  ai: report('ai'),
};

const service = z.string().describe('The service.');

export const system = z
  .object({
    at: timestamp.describe('When the processes were asked.'),
    processes: z
      .array(process.extend({ service }))
      .describe('Every process that answered. Answers are waited for until no more arrive, 1.5 seconds at most.'),
    missing: z
      .array(z.string())
      .optional()
      .describe(
        'The services without a process that answered. Recorders are not among them: an installation with LiveKit Egress has none.',
      ),
    queues: z.array(queue.extend({ service })).describe('The queues of jobs.'),
    consumers: z.array(consumer.extend({ service })).describe('The consumers of events.'),
    tracesUrl: z.string().nullable().describe('Address of slow traces (`TRACES_URL` of the gateway); null if none is configured.'),
  })
  .register(NAMES, { id: 'System', description: 'The processes of the installation, and what waits.' });
export type System = z.infer<typeof system>;

export const getSystem = defineEndpoint({
  operationId: 'getSystem',
  summary: 'Get system',
  description: 'Asks all processes for their version, their queues and consumers, and recorders for their slots.',
  tag: 'System',
  sdk: 'system.get',
  route: 'GET /v1/admin/system',
  auth: 'dispatch',
  response: envelope(system),
  example: {},
});
