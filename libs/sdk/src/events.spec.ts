import { VirtualClassroom } from './client.js';
import type { HistoryEvent } from './webhooks.js';

const created = (sequence: number) => ({ id: `evt_${sequence}`, type: 'room.created', timestamp: '', sequence, data: {} });
const block = (sequence: number) => `id: ${sequence}\nevent: room.created\ndata: ${JSON.stringify(created(sequence))}\n\n`;
const streamed = (text: string, isBroken = false) => {
  const body = new ReadableStream({
    start: (to) => to.enqueue(new TextEncoder().encode(text)),
    pull: (to) => (isBroken ? to.error(new Error('ECONNRESET')) : to.close()),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};
const refusal = () => Response.json({ success: false, error: 'UNAUTHORIZED', message: 'Unauthorized' }, { status: 401 });

/** What a client receives from a service that gives these answers in turn, and where it continues each time. */
async function received(answers: (() => Response | Promise<Response>)[], query?: { after?: string; types?: HistoryEvent['type'][] }) {
  const searches: string[] = [];
  const fetch = async (url: string) => {
    searches.push(new URL(url).search);
    return answers.shift()?.() as Response;
  };
  const { events } = new VirtualClassroom({
    baseUrl: 'https://classroom.example',
    credential: 'org_1',
    fetch: fetch as typeof globalThis.fetch,
  });
  const seen: unknown[] = [];
  const failures: unknown[] = [];
  const reading = (async () => {
    for await (const event of events.stream(query)) seen.push(event.type === 'gap' ? event : event.sequence);
  })().catch((error: unknown) => void failures.push(error));
  for (let step = 0; step < 2_000 && failures.length === 0; step++) await jest.advanceTimersByTimeAsync(50);
  await reading;
  return { seen, searches, failure: failures[0] };
}

describe('a stream of events', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('continues after the last whole event when it ends, breaks or cannot connect, and throws a refusal', async () => {
    const { seen, searches, failure } = await received([
      () => streamed(`retry: 1000\nid: 4\n\n${block(5)}${block(6)}`),
      () => streamed(`id: 6\n\n${block(7)}id: 8\nevent: room.created\ndata: {"id"`, true),
      () => Promise.reject(new TypeError('fetch failed')),
      () => new Response(null, { status: 503 }),
      () => streamed(`: heartbeat\nid: 9\n\n`),
      refusal,
    ]);
    expect(seen).toEqual([5, 6, 7]);
    expect(searches).toEqual(['', '?after=6', '?after=7', '?after=7', '?after=7', '?after=9']);
    expect(failure).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('begins where it is asked to, and reports what has expired', async () => {
    const gap = 'id: 41\nevent: gap\ndata: {"from":3,"to":41}\n\n';
    const { seen, searches } = await received([() => streamed(gap), refusal], { after: '2', types: ['room.created', 'room.finished'] });
    expect(seen).toEqual([{ type: 'gap', data: { from: 3, to: 41 } }]);
    expect(searches).toEqual([2, 41].map((after) => `?after=${after}&types=room.created%2Croom.finished`));
  });

  it('throws if it cannot begin', async () => {
    const { seen, searches, failure } = await received([refusal]);
    expect([seen, searches, failure]).toEqual([[], [''], expect.objectContaining({ code: 'UNAUTHORIZED' })]);
  });
});
