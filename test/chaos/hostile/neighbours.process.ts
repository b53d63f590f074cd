// Schools that work normally, in a process of their own, so that the attackers' work delays none of their requests. It begins with a message
// { url, address, schools, perSecond }. For any other message it replies with what it measured since the last reply.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Work {
  url: string;
  /** From which their requests come. */
  address: string;
  schools: { value: string; roomId: string }[];
  perSecond: number;
}

/** Milliseconds of each request, and what was not answered with 200. */
export interface Measured {
  times: number[];
  failed: string[];
}

/** Of as many requests of a school, the first creates a room and some join one; the others ask for a status. */
const CYCLE = 10;
const JOINS = 3;

const agent = new http.Agent({ keepAlive: true });
let measured: Measured = { times: [], failed: [] };

function requestOf(turn: number, { value, roomId }: Work['schools'][number]): { method: string; path: string; body?: object } {
  const step = turn % CYCLE;
  const participant = { uid: `student-${step}`, name: 'canary student', role: 'STUDENT' };
  if (step === 0) {
    const created = `lesson-${turn}-${value.slice(-8)}-${process.pid}`;
    return { method: 'POST', path: '/v1/room/create', body: { roomId: created, title: 'canary lesson', participant } };
  }
  if (step <= JOINS) return { method: 'POST', path: `/v1/room/${roomId}/join`, body: { participant } };
  return { method: 'GET', path: `/v1/room/${roomId}/status` };
}

function send({ url, address, schools }: Work, n: number): void {
  const school = schools[n % schools.length];
  if (!school) return;
  const { method, path, body } = requestOf(Math.floor(n / schools.length), school);
  const begun = performance.now();
  const headers = { 'VF-ORG-ID': school.value, 'X-Forwarded-For': address, ...(body && { 'content-type': 'application/json' }) };
  const request = http.request(`${url}${path}`, { method, agent, headers }, (response) => {
    response.resume().once('end', () => {
      measured.times.push(performance.now() - begun);
      if (response.statusCode !== 200) measured.failed.push(`${method} ${path}: ${response.statusCode}`);
    });
  });
  request.once('error', (error) => measured.failed.push(`${method} ${path}: ${error.message}`));
  request.end(body && JSON.stringify(body));
}

/** In an open loop: a slow answer does not delay what follows. */
async function run(work: Work): Promise<void> {
  const begun = performance.now();
  for (let n = 0; ; n += 1) {
    send(work, n);
    await sleep(Math.max(0, begun + ((n + 1) * 1000) / work.perSecond - performance.now()));
  }
}

process.on('message', (message: Partial<Work>) => {
  if (message.schools) return void run(message as Work);
  const reply = measured;
  measured = { times: [], failed: [] };
  return process.send?.(reply);
});
process.once('disconnect', () => process.exit());
