'use strict';

const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { randomInt } = require('node:crypto');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const { AckPolicy, jetstream } = require('@nats-io/jetstream');
const { connect } = require('@nats-io/transport-node');
const { captureSubject, recorderRpc } = require('@classroom/contracts');
const { AccessToken, RoomServiceClient } = require('livekit-server-sdk');
const { natsOptions, startStack, pickPorts } = require('../../../tools/stack/index.ts');
const { nodeBinary } = require('../../../tools/stack/toolchain.ts');
const { ObjectStorage, storageConfig } = require('../../../libs/storage');

const ASSETS = path.join(__dirname, '..', '..', '..', 'apps', 'classroom', 'dist');
const TYPES = /** @type {Record<string, string>} */ ({ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' });
const PATIENCE_MS = 60_000;
const BUCKET = 'classroom';
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const newId = () => Array.from({ length: 16 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** A recorder with the parts that it needs, and who gives it jobs. `stop` is safe to call at any time. */
class Studio {
  /** @param {{ slots: number, signal: AbortSignal }} options */
  constructor({ slots, signal }) {
    this.slots = slots;
    this.signal = signal;
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-recording-bench-'));
    /** @type {Set<import('node:child_process').ChildProcess>} */
    this.children = new Set();
    /** @type {any[]} */
    this.heard = [];
  }

  async start() {
    this.page = http.createServer(servePage).listen(0, '127.0.0.1');
    await once(this.page, 'listening');
    const { portBase, gatewayPort, release } = await pickPorts();
    try {
      this.stack = await startStack({
        home: this.home, portBase, gatewayPort, external: false, signal: this.signal, parts: ['nats', 'redis', 'livekit', 's3'],
        apps: ['recorder'], livekit: { webhookUrls: [] }, env: { recorder: { RECORDER_SLOTS: String(this.slots), OTEL_TRACES_SAMPLER: 'always_off' } },
      });
    } finally {
      release();
    }
    const { urls, secrets } = this.stack;
    this.storage = new ObjectStorage(storageConfig.parse({
      S3_ENDPOINT: urls.s3, S3_BUCKET: BUCKET, S3_ACCESS_KEY_ID: secrets.s3AccessKeyId, S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
    }));
    this.rooms = new RoomServiceClient(urls.livekit, secrets.livekitApiKey, secrets.livekitApiSecret);
    this.nats = await connect(natsOptions(urls.nats));
    const stream = jetstream(this.nats);
    await (await stream.jetstreamManager()).consumers.add('LIVEKIT', { durable_name: 'recording-bench', ack_policy: AckPolicy.None });
    await (await stream.consumers.get('LIVEKIT', 'recording-bench')).consume({ callback: (message) => void this.heard.push(message.json()) });
  }

  /** @returns {number} */
  get recorderPid() {
    return this.stack.apps.recorder.pid;
  }

  /** Names and processes beside the recorder's. @returns {Record<string, number>} */
  get partPids() {
    return { livekit: this.stack.parts.livekit.pid };
  }

  /** A class of so many who publish; resolves when all do. @param {number} people */
  async openClass(people) {
    const sid = `RM_${newId()}`;
    await this.rooms.createRoom({ name: sid, emptyTimeout: 60 });
    const tokens = await Promise.all(Array.from({ length: people }, (_, i) => this.token(sid, `person${i}`, { canPublish: true, canSubscribe: false })));
    const publishers = this.spawn('publishers.js');
    publishers.send({ url: this.stack.urls.livekitPublic, tokens });
    await this.answer(publishers);
    return { sid, publishers };
  }

  /** @param {string} room @param {string} identity @param {import('livekit-server-sdk').VideoGrant} grant */
  async token(room, identity, grant) {
    const { livekitApiKey, livekitApiSecret } = this.stack.secrets;
    const token = new AccessToken(livekitApiKey, livekitApiSecret, { identity, name: `Name of ${identity}`, ttl: 3600 });
    token.addGrant({ roomJoin: true, room, ...grant });
    return token.toJwt();
  }

  /** Resolves with its job once its first frame was filmed. @param {string} sid @param {{ layout: string, preset: string }} how */
  async film(sid, { layout, preset }) {
    const egressId = `EG_${newId()}`;
    const job = {
      egressId, sid, layout, preset, title: 'Benchmark', logoUrl: '', objectKey: `bench/${egressId}.mp4`,
      livekitUrl: this.stack.urls.livekitPublic,
      pageUrl: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.page.address()).port}/recording`,
      token: await this.token(sid, egressId, { hidden: true, recorder: true, canPublish: false, canSubscribe: true }),
    };
    await this.ask(recorderRpc.start.subject, job);
    await this.reaches(egressId, 'EGRESS_ACTIVE');
    return job;
  }

  /** Resolves once it is made, with what it takes. @param {{ egressId: string, objectKey: string }} job */
  async stopFilming({ egressId }) {
    await this.ask(captureSubject(recorderRpc.stop, egressId), { egressId });
    await this.reaches(egressId, 'EGRESS_COMPLETE');
  }

  /** A copy of the film. @param {{ egressId: string, objectKey: string }} job @returns {Promise<string>} */
  async fetchFilm({ egressId, objectKey }) {
    const file = path.join(this.home, `${egressId}.mp4`);
    await fs.promises.writeFile(file, await this.storage.read(objectKey));
    return file;
  }

  /** @param {string} file a process of its own, that ends with this one */
  spawn(file) {
    const env = { PATH: process.env.PATH, NODE_ENV: 'production' };
    const child = fork(path.join(__dirname, file), { execPath: nodeBinary(), env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    return child;
  }

  /** @param {import('node:child_process').ChildProcess} child @returns {Promise<any>} */
  async answer(child) {
    const ended = once(child, 'exit', { signal: this.signal }).then(([code]) => { throw new Error(`${child.spawnargs[1]} ended with ${code}`); });
    ended.catch(() => undefined);
    return Promise.race([once(child, 'message', { signal: this.signal }).then(([message]) => message), ended]);
  }

  /** @param {import('node:child_process').ChildProcess} child */
  async end(child) {
    if (child.exitCode !== null) return;
    const gone = once(child, 'exit');
    if (child.connected) child.disconnect();
    await Promise.race([gone, sleep(4_000).then(() => child.kill('SIGKILL'))]);
  }

  async stop() {
    await Promise.all([...this.children].map((child) => this.end(child)));
    this.storage?.close();
    await this.nats?.close();
    await this.stack?.stop({ wipe: true });
    this.page?.closeAllConnections();
    this.page?.close();
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  /** @param {string} subject @param {object} input */
  async ask(subject, input) {
    const reply = (await this.nats.request(subject, JSON.stringify(input), { timeout: 10_000 })).json();
    if (reply.error) throw new Error(`${subject}: ${JSON.stringify(reply.error)}`);
  }

  /** @param {string} egressId @param {string} status */
  async reaches(egressId, status) {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      this.signal.throwIfAborted();
      const said = this.heard.map(({ egressInfo }) => egressInfo).filter((info) => info.egressId === egressId);
      const found = said.find((info) => info.status === status);
      if (found?.error) throw new Error(found.error);
      if (found) return;
      const last = said.at(-1);
      if (/FAILED|ABORTED/.test(last?.status) || Date.now() > deadline) throw new Error(`the recording did not become ${status}: ${last?.status} ${last?.error}`);
      await sleep(50);
    }
  }
}

/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
function servePage(request, response) {
  const { pathname } = new URL(request.url ?? '/', 'http://page');
  const file = path.join(ASSETS, pathname === '/recording' ? 'recording.html' : path.normalize(pathname));
  fs.readFile(file, (error, content) => {
    if (error) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' }).end(content);
  });
}

module.exports = { Studio };
