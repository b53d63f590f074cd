import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@classroom/testing';
import { contains } from './canaries.js';
import { allowedCalls, seenCalls, UNSEEN } from './peers.js';
import { Traces, type Span } from './spans.js';
import { STORIES, type Story } from './stories.js';
import { runTracedClass, type TracedClass } from './traced-class.js';

/** Timeout for spans. They are written three times a second; on a busy machine it takes longer. */
const WRITTEN_MS = 90_000;
/** Work too late to belong to the request that led to it: its trace is linked to that of the request. */
const LINKED = new Set(['organization deliver webhook', 'recorder finish capture']);

describe('the traces of a class', () => {
  let traced: TracedClass;

  beforeAll(async () => {
    traced = await runTracedClass();
  });
  afterAll(() => traced?.stop());

  /** Repeats the check on the spans written so far until it passes. */
  const written = (check: (traces: Traces) => void) => eventually(() => check(new Traces(traced.stack.spans<Span>())), WRITTEN_MS);

  function beginOf(traces: Traces, begins: Story['begins']): Span[] {
    if (typeof begins === 'string') return traces.of(traced.actions[begins]);
    if ('work' in begins) return traces.all.filter(({ name }) => name === begins.work);
    return traces.all.filter(({ name, attributes }) => name === 'POST /livekit/webhook' && attributes['livekit.event'] === begins.webhook);
  }

  it.each(STORIES)('connect one trace: $title', async ({ begins, chains }) => {
    await written((traces) => {
      const begin = beginOf(traces, begins);
      expect(chains.map((chain) => traces.follow(begin, chain))).toEqual(chains);
      for (const { traceId } of begin) expect(traces.of(traceId).filter(isRoot)).toHaveLength(1);
    });
  });

  it('have a parent for every span except the first of a trace', async () => {
    await written(({ orphans }) => expect(orphans.map(nameOf)).toEqual([]));
  });

  it('begin with a request, a job, a call between services, due work, or a link to its request', async () => {
    const isRequest = ({ kind, attributes }: Span) => kind === 'SERVER' && attributes['http.route'] !== undefined;
    const isQuestion = ({ kind, attributes }: Span) => kind === 'CLIENT' && attributes['rpc.system'] === 'nats';
    const isJob = ({ attributes }: Span) => attributes['messaging.system'] === 'bullmq';
    const isDueWork = ({ kind, name }: Span) => kind === 'INTERNAL' && name.startsWith('process ');
    await written(({ all }) => {
      const others = all.filter(isRoot).filter((span) => !isRequest(span) && !isQuestion(span) && !isJob(span) && !isDueWork(span));
      expect(others.map(nameOf).filter((name) => !LINKED.has(name))).toEqual([]);
    });
  });

  describe('use OpenTelemetry’s attributes', () => {
    const isMessage = ({ attributes }: Span) => attributes['messaging.system'] === 'nats';
    const isJob = ({ attributes }: Span) => attributes['messaging.system'] === 'bullmq';
    /**
     * Attributes of one message, whether or not others were sent or processed together with it. The stream may have stored a message after its sender's
     * timeout. The sender sends it again then, and the first attempt's span has an error.
     */
    const alone = ({ attributes: { 'messaging.batch.message_count': count = 2, 'error.type': _, ...attributes } }: Span) => {
      expect(count).toBeGreaterThan(1);
      return attributes;
    };

    it('for messages sent to a stream', async () => {
      await written(({ all }) => {
        const sent = all.filter(({ kind }) => kind === 'PRODUCER');
        expect(new Set(sent.map(({ name }) => name))).toEqual(new Set(['send LIVEKIT', 'send EVENTS', 'send AUDIT']));
        for (const span of sent) {
          expect(alone(span)).toEqual({
            'messaging.system': 'nats',
            'messaging.operation.name': 'send',
            'messaging.operation.type': 'send',
            'messaging.destination.name': span.name.replace('send ', ''),
            'messaging.message.id': expect.stringMatching(/./),
          });
        }
      });
    });

    it('for messages processed from a stream, in spans below their sender’s', async () => {
      await written((traces) => {
        const processed = traces.all.filter((span) => isMessage(span) && span.kind !== 'PRODUCER');
        expect(new Set(processed.map(({ kind }) => kind))).toEqual(new Set(['CONSUMER']));
        for (const span of processed) {
          const sent = traces.parentOf(span);
          expect(sent?.kind).toBe('PRODUCER');
          expect(alone(span)).toMatchObject({
            ...(sent ? alone(sent) : {}),
            'messaging.operation.name': 'process',
            'messaging.operation.type': 'process',
            'messaging.destination.subscription.name': span.name.replace('process ', ''),
          });
        }
      });
    });

    it('for jobs', async () => {
      await written(({ all }) => {
        const jobs = all.filter(isJob);
        const queues = new Set(jobs.map(({ attributes }) => attributes['messaging.destination.name']));
        expect([...queues]).toEqual(
          expect.arrayContaining(['credit-rollup', 'egress-finalization', 'retention-deletion', 'transcoding', 'webhook-delivery']),
        );
        for (const { kind, name, attributes } of jobs) {
          expect(kind).toBe('CONSUMER');
          expect(attributes).toMatchObject({
            'messaging.operation.name': 'process',
            'messaging.operation.type': 'process',
            'messaging.destination.name': name.replace('process ', ''),
          });
        }
      });
    });

    it('for calls to services, databases, storage, LiveKit and schools, with the address of each', async () => {
      await written(({ all }) => {
        const systemOf = ({ attributes }: Span) =>
          attributes['rpc.system'] ?? attributes['db.system.name'] ?? attributes['http.request.method'];
        const calls = all.filter((span) => span.kind === 'CLIENT' && systemOf(span) !== undefined);
        const systems = new Set(calls.map(systemOf));
        expect(systems).toEqual(new Set(['nats', 'postgresql', 'redis', 'aws-api', 'twirp', 'GET', 'HEAD', 'PATCH', 'POST']));
        for (const { name, attributes } of calls) {
          expect([name, attributes['server.address'], attributes['server.port']]).toEqual([name, '127.0.0.1', expect.any(Number)]);
        }
      });
    });
  });

  describe('and logs', () => {
    it('contain no participants, no messages and no credentials', async () => {
      // By then, all spans have been written.
      await written(({ orphans }) => expect(orphans).toEqual([]));
      const { stack, apps, secrets } = traced;
      const traces = readdirSync(join(stack.home, 'traces')).map((file) => join('traces', file));
      const files = [...[...apps, 'livekit'].map((app) => join('logs', `${app}.log`)), ...traces];
      expect(files).toHaveLength(2 * apps.length + 1);
      const leaking = files.flatMap((file) => {
        const text = readFileSync(join(stack.home, file), 'utf8');
        return Object.entries(secrets)
          .filter(([, value]) => contains(text, value))
          .map(([kind]) => `${kind} in ${file}`);
      });
      expect(leaking).toEqual([]);
      // The database contains the participants, so the search works.
      expect(contains(JSON.stringify(await stack.rows('SELECT uid FROM room.participants')), secrets['teacher'] ?? '')).toBe(true);
    });

    it('are linked: each line that was written within a request or a job names trace and span', async () => {
      const lines = traced.apps.flatMap((app) => linesOf(traced.stack.log(app)));
      const within = lines.filter(({ trace_id }) => trace_id !== undefined);
      await written(({ all }) => {
        const known = new Set(all.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
        expect(within.filter(({ trace_id, span_id }) => !known.has(`${trace_id} ${span_id}`))).toEqual([]);
      });
      // The trace of the request that got "no recorder is free" leads to the log lines of both services.
      const logged = within.filter(({ trace_id }) => trace_id === traced.actions.refused).map(({ service, msg }) => `${service}: ${msg}`);
      expect(logged).toEqual(expect.arrayContaining(['gateway: request failed', 'recording: no recorder accepted the recording']));
    });
  });

  it('and the network policies have the same connections', () => {
    const allowed = allowedCalls();
    const seen = seenCalls(traced.stack, traced.stack.spans<Span>());
    expect(seen.filter((call) => !allowed.includes(call))).toEqual([]);
    expect(allowed.filter((call) => !seen.includes(call)).sort()).toEqual(Object.keys(UNSEEN).sort());
  });
});

const isRoot = ({ parentSpanId }: Span) => parentSpanId === undefined;
const nameOf = ({ service, name }: Span) => `${service} ${name}`;

interface Line {
  service: string;
  msg: string;
  trace_id?: string;
  span_id?: string;
}

/** Programs that a service starts write other formats than JSON. */
const linesOf = (log: string) => log.split('\n').flatMap((line) => (line.startsWith('{"level"') ? [JSON.parse(line) as Line] : []));
