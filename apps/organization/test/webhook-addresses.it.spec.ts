import type { LookupAddress } from 'node:dns';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Outbound, type Resolve } from '@classroom/platform';
import { WebhookReceiver } from '@classroom/testing';
import { postWebhook } from '../src/webhooks/post-webhook.js';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver?.stop());

/** As in production: private addresses may not be opened. */
const outbound = (resolve?: Resolve) => new Outbound({ DEPLOYMENT: 'production', OUTBOUND_ALLOWED_HOSTS: undefined }, resolve);
const post = (url: string, from = outbound()) =>
  postWebhook({ outbound: from, url, headers: {}, body: '{"id":"evt_1"}', timeoutMs: 2_000 });

/** A self-signed certificate, made by openssl, and its key, both in PEM. */
function selfSigned(commonName: string): { key: string; cert: string } {
  const options = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
    '-subj',
    `/CN=${commonName}`,
  ];
  const pem = execFileSync('openssl', ['req', ...options, '-addext', `subjectAltName=DNS:${commonName}`, '-keyout', '-', '-out', '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();
  const part = (name: string) => new RegExp(`-----BEGIN ${name}-----[^]*?-----END ${name}-----`).exec(pem)?.[0] ?? '';
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') };
}

/** Resolves to `first` once, and from then on to this machine. */
function rebinding(first: string): Resolve {
  let asked = 0;
  return (_hostname, _options, done) => {
    const answer: LookupAddress = { address: asked++ === 0 ? first : '127.0.0.1', family: 4 };
    done(null, [answer]);
  };
}

it.each([
  'http://127.0.0.1',
  'http://localhost',
  'https://127.0.0.1',
  'https://localhost',
  'https://[::1]',
  'https://10.0.0.1',
  'http://93.184.215.14',
])('the sender does not connect to %s', async (address) => {
  expect(await post(`${address}:${receiver.port}/hook`)).toMatchObject({ statusCode: null, error: 'address-refused' });
  expect(receiver.received).toEqual([]);
});

it('the sender does not connect to a name that was public at registration and now resolves to this machine', async () => {
  const from = outbound(rebinding('93.184.215.14'));
  // The lookup at registration.
  await new Promise<void>((resolve, reject) =>
    from.lookup('rebinding.example', { all: true }, (error) => (error ? reject(error) : resolve())),
  );
  expect(await post(`https://rebinding.example:${receiver.port}/hook`, from)).toMatchObject({ statusCode: null, error: 'address-refused' });
  expect(receiver.received).toEqual([]);
});

it('the sender reports an unknown name and a closed port as different errors', async () => {
  const unknown: Resolve = (hostname, _options, done) => done(Object.assign(new Error(hostname), { code: 'ENOTFOUND' }), []);
  expect(await post('https://nowhere.example/hook', outbound(unknown))).toMatchObject({ error: 'dns' });
  const closed = await WebhookReceiver.start();
  const url = closed.url();
  await closed.stop();
  const local = new Outbound({ DEPLOYMENT: 'local', OUTBOUND_ALLOWED_HOSTS: undefined });
  expect(await post(url, local)).toMatchObject({ error: 'connection' });
});

it('the sender does not wait for the end of a response body', async () => {
  const local = new Outbound({ DEPLOYMENT: 'local', OUTBOUND_ALLOWED_HOSTS: undefined });
  const server = createServer((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('more '), 50);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const answer = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, local);
    expect(answer).toMatchObject({ statusCode: 200, error: null, responseBody: expect.stringMatching(/^more /) });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe('a server with a certificate', () => {
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));

  it.each([
    ['that this machine does not trust is refused', 'localhost', false, { statusCode: null, error: 'tls' }, 0],
    ['for another name is refused', 'school.example', true, { statusCode: null, error: 'tls' }, 0],
    ['that is trusted, for its own name, gets the webhook', 'localhost', true, { statusCode: 200, error: null }, 1],
  ])('%s', async (_, name, isTrusted, answer, requests) => {
    const { key, cert } = selfSigned(name);
    if (isTrusted) setDefaultCACertificates([...trusted, cert]);
    const received: string[] = [];
    const server = createTlsServer({ key, cert }, (request, response) => {
      received.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const local = new Outbound({ DEPLOYMENT: 'local', OUTBOUND_ALLOWED_HOSTS: undefined });
      expect(await post(`https://localhost:${(server.address() as AddressInfo).port}/hook`, local)).toMatchObject(answer);
      expect(received).toHaveLength(requests);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

it('the sender sends nothing to an https address without TLS', async () => {
  const local = new Outbound({ DEPLOYMENT: 'local', OUTBOUND_ALLOWED_HOSTS: undefined });
  expect(await post(`https://127.0.0.1:${receiver.port}/hook`, local)).toMatchObject({ statusCode: null, error: 'tls' });
  expect(receiver.received).toEqual([]);
});
