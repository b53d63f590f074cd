// One organization that overloads the API. For a message { kind, urls, organizationId, seconds, perSecond } it replies with the number of
// requests by status.
import http from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { evenly } from './pace.ts';

const SLOW_SENDERS = 100;
const LARGE_BYTES = 50 * 1024 * 1024;
const LARGE_PER_SECOND = 5;

const agent = new http.Agent({ keepAlive: true });
/** Allocated once: the sender's own work is not measured. */
const large = Buffer.alloc(LARGE_BYTES, 'x');

interface Work {
  kind: keyof typeof ATTACKS;
  urls: string[];
  organizationId: string;
  seconds: number;
  perSecond: number;
}

/** @returns the status, or the error code if there is none */
function call(url: string, options: http.RequestOptions, body?: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const request = http.request(url, { agent, ...options }, (response) => {
      response.resume().once('close', () => resolve(String(response.statusCode)));
    });
    request.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
    request.end(body);
  });
}

const ATTACKS = {
  /** A given number of requests per second, evenly distributed. */
  rush({ urls, organizationId, ...pace }: Work): Promise<string[]> {
    return evenly(pace, (n) => call(`${urls[n % urls.length]}/v1/room/class/status`, { headers: { 'VF-ORG-ID': organizationId } }));
  },

  /** Half of the senders never finish their headers, half never their body. Each sends a byte per second and reconnects when it is cut off. */
  async slow({ urls, organizationId, seconds }: Work): Promise<string[]> {
    let cutOff = 0;
    const over = new AbortController();
    const senders = Array.from({ length: SLOW_SENDERS }, async (_, n) => {
      await sleep((n * 1000) / SLOW_SENDERS);
      while (!over.signal.aborted) {
        const socket = connect(Number(new URL(urls[n % urls.length]).port), '127.0.0.1');
        socket.on('error', () => undefined).on('data', () => undefined);
        const head = `POST /v1/room/create HTTP/1.1\r\nhost: classroom\r\nvf-org-id: ${organizationId}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n`;
        socket.write(n % 4 < 2 ? `${head}x-slow: ` : `${head}\r\n{"title":"`);
        const closed = new Promise((resolve) => {
          socket.once('close', () => {
            cutOff += over.signal.aborted ? 0 : 1;
            resolve(undefined);
          });
        });
        const timer = setInterval(() => (over.signal.aborted ? socket.destroy() : socket.write('a')), 1000);
        await closed;
        clearInterval(timer);
      }
    });
    await sleep(seconds * 1000);
    over.abort();
    await Promise.all(senders);
    return Array.from({ length: cutOff }, () => 'cut off');
  },

  /** Bodies of 50 MB, evenly distributed. */
  large({ urls, organizationId, seconds }: Work): Promise<string[]> {
    const headers = { 'VF-ORG-ID': organizationId, 'content-type': 'application/json', 'content-length': LARGE_BYTES };
    return evenly({ seconds, perSecond: LARGE_PER_SECOND }, (n) =>
      call(`${urls[n % urls.length]}/v1/room/class/join`, { method: 'POST', headers }, large),
    );
  },
};

process.on('message', async (work: Work) => {
  const outcomes = await ATTACKS[work.kind](work);
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  process.send?.(counts);
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
