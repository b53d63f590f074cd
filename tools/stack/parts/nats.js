'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { ManagedProcess, ORDER } = require('../process');
const { statusOf } = require('../checks');
const { writePrivate } = require('../paths');
const { commandOf } = require('./docker');

const USER = 'classroom';

/** @param {any} stack @param {import('./find').Tools} tools */
function createNats(stack, tools) {
  const { home, options, ports, secrets } = stack;
  const folder = path.join(home, 'nats');
  const configFile = path.join(folder, 'nats.conf');
  const monitor = ports.parts.natsMonitor;
  const handle = new ManagedProcess({
    name: 'nats',
    order: ORDER.part,
    check: async () => (await statusOf(`http://127.0.0.1:${monitor}/healthz?js-enabled-only=true`)) === 200,
    command: (extraEnv) => {
      fs.mkdirSync(folder, { recursive: true });
      const values = { port: ports.parts.nats, monitor, store: folder, syncInterval: options.nats?.syncInterval, password: secrets.natsPassword };
      writePrivate(configFile, natsConfig(values));
      const command = commandOf(tools, 'nats-server', { home, part: 'nats', mounts: [folder] });
      return { file: command.file, args: [...command.args, '-c', configFile], env: { PATH: process.env.PATH ?? '', ...command.env, ...extraEnv } };
    },
  }, stack);
  return { handle, url: natsUrl(ports.parts.nats, secrets.natsPassword) };
}

/**
 * @param {{ port: number, monitor: number, store: string, password: string, syncInterval?: string }} values
 *   syncInterval: `always` (the default) acknowledges after fsync: 2.5 k messages a second here, and a power cut loses
 *   none; a duration such as `2m` is NATS's own habit and faster
 */
function natsConfig({ port, monitor, store, password, syncInterval = 'always' }) {
  return `# Written at each start.
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitor}"
max_payload: 1MB
authorization { user: ${USER}, password: ${JSON.stringify(password)} }
jetstream {
  store_dir: ${JSON.stringify(store)}
  sync_interval: ${syncInterval}
}
`;
}

/** @param {number} port @param {string} [password] */
const natsUrl = (port, password) => `nats://${password ? `${USER}:${password}@` : ''}127.0.0.1:${port}`;

/**
 * For nats.js, which takes no notice of a user in an address.
 * @param {string} url one server
 */
function natsOptions(url) {
  const { host, username, password } = new URL(url);
  return { servers: `nats://${host}`, ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}) };
}

module.exports = { createNats, natsConfig, natsOptions, natsUrl };
