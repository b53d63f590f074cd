import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

const TIMEOUT_MS = 2_000;

/** @returns the HTTP status; 0 without an answer */
export function statusOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    const request = (url.startsWith('https:') ? https : http).get(url, { timeout: TIMEOUT_MS, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(0));
  });
}

/**
 * Sends bytes and collects the answer until `until` returns true, the connection ends, or two seconds have passed.
 * @returns the bytes received; empty without an answer
 */
function exchange(address: net.NetConnectOpts, send: Buffer | string, until = (answer: Buffer) => answer.length > 0): Promise<Buffer> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    const socket = net.connect(address, () => socket.write(send));
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(TIMEOUT_MS, done);
    for (const event of ['error', 'end']) socket.once(event, done);
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (until(answer)) done();
    });
  });
}

/** Whether Postgres accepts logins: then it asks for a password. While it recovers, it answers a login with an error. */
export async function postgresAnswers(host: string, port: number, database = 'postgres') {
  const body = Buffer.from(`user\0postgres\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(196_608, 4);
  const answer = await exchange({ host, port }, Buffer.concat([head, body]));
  return answer[0] === 'R'.charCodeAt(0);
}

/** Whether Redis serves: then it answers PONG. While it loads its append-only file, it answers LOADING. */
export async function redisAnswers(host: string, port: number, password?: string, user?: string) {
  const auth = password ? `AUTH ${user ? `${user} ` : ''}${password}\r\n` : '';
  const answer = await exchange({ host, port }, `${auth}PING\r\n`, (it) => /PONG|-\w+ .*\r\n$/.test(it.toString()));
  return answer.toString().includes('+PONG');
}

export async function natsAnswers(host: string, port: number) {
  const answer = await exchange({ host, port }, '');
  return answer.toString().startsWith('INFO ');
}

export function addressOf(url: string, fallbackPort: number) {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port ? Number(port) : fallbackPort };
}
