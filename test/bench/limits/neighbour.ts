// Organizations that request a room's status at an even rate, whatever others do. For a message { urls, organizations, seconds } it replies
// { times, failed }: the milliseconds of each request, and how many did not get a 200.
import http from 'node:http';
import { evenly } from './pace.ts';

const PER_SECOND = 100;

const agent = new http.Agent({ keepAlive: true });

function ask(url: string, organizationId: string): Promise<{ ms: number; isOk: boolean }> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const done = (isOk: boolean) => resolve({ ms: performance.now() - begun, isOk });
    const request = http.get(`${url}/v1/room/class/status`, { agent, headers: { 'VF-ORG-ID': organizationId } }, (response) => {
      response
        .resume()
        .once('end', () => done(response.statusCode === 200))
        .once('error', () => done(false));
    });
    request.once('error', () => done(false));
  });
}

interface Work {
  urls: string[];
  organizations: string[];
  seconds: number;
}

export interface Measured {
  times: number[];
  failed: number;
}

async function measure({ urls, organizations, seconds }: Work): Promise<Measured> {
  const answers = await evenly({ seconds, perSecond: PER_SECOND }, (n) =>
    ask(urls[n % urls.length], organizations[n % organizations.length]),
  );
  return { times: answers.map(({ ms }) => ms), failed: answers.filter(({ isOk }) => !isOk).length };
}

process.on('message', async (work: Work) => process.send?.(await measure(work)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
