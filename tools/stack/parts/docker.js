'use strict';

const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { ask } = require('../run');
const { outsideHome } = require('../paths');

/** Images from scratch have no PATH to look in. @type {Record<string, string>} */
const ENTRYPOINTS = { 'nats-server': '/nats-server', 'livekit-server': '/livekit-server' };

/**
 * The official image in place of a program, where there is an engine: same command line, the host's network, and the
 * folders mounted under their own paths, so that the callers need not know.
 * @param {string} part @param {string} image @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('./find').Tools | undefined>}
 */
async function dockerTools(part, image, env) {
  // On a Mac the engine is a virtual machine: its host network is not ours.
  if (process.platform !== 'linux') return undefined;
  const engine = await ask('docker', ['version', '--format', '{{.Server.Version}}'], { env });
  if (!engine || !/^\d/.test(engine)) return undefined;
  return {
    how: 'docker', version: image.split(':')[1], where: image, image,
    tool: (name) => ({ file: 'docker', args: ['run', '--rm', '-i', '--network', 'host', '--entrypoint', ENTRYPOINTS[name] ?? name, image], env: {} }),
  };
}

/**
 * How a part's program is called, as a program or in a container named after home and part.
 * @param {import('./find').Tools} tools @param {string} binary
 * @param {{ home: string, part: string, mounts: string[], user?: { uid: number, gid: number }, variables?: string[] }} options
 *   `variables`: names of those of its environment that a container must get, too
 * @returns {{ file: string, args: string[], env: Record<string, string> }}
 */
function commandOf(tools, binary, { home, part, mounts, user, variables = [] }) {
  const command = tools.tool(binary);
  if (!tools.image) return command;
  const container = `${path.basename(outsideHome(home))}-${part}`;
  // SIGKILL ends the client, not the container: the name must be free before the next run.
  spawnSync('docker', ['rm', '-f', container], { stdio: 'ignore', timeout: 30_000 });
  const { uid, gid } = user ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const more = ['--name', container, '--user', `${uid}:${gid}`, ...mounts.flatMap((folder) => ['-v', `${folder}:${folder}`]), ...variables.flatMap((name) => ['-e', name])];
  return { ...command, args: ['run', ...more, ...command.args.slice(1)] };
}

module.exports = { dockerTools, commandOf };
