import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { ask } from '../run.ts';
import { outsideHome, type User } from '../paths.ts';
import type { Command } from '../process.ts';
import type { PartName, Tools } from './find.ts';

/** Images from scratch have no PATH to look in. */
const ENTRYPOINTS: Record<string, string> = { 'nats-server': '/nats-server', 'livekit-server': '/livekit-server' };

/**
 * The official image in place of a program, where there is an engine: same command line, the host's network, and the
 * folders mounted under their own paths, so that the callers need not know.
 */
export async function dockerTools(image: string, env: NodeJS.ProcessEnv): Promise<Tools | undefined> {
  // On a Mac the engine is a virtual machine: its host network is not ours.
  if (process.platform !== 'linux') return undefined;
  const engine = await ask('docker', ['version', '--format', '{{.Server.Version}}'], { env });
  if (!engine || !/^\d/.test(engine)) return undefined;
  return {
    how: 'docker',
    version: image.split(':')[1] ?? '',
    where: image,
    image,
    tool: (name) => ({
      file: 'docker',
      args: ['run', '--rm', '-i', '--network', 'host', '--entrypoint', ENTRYPOINTS[name] ?? name, image],
      env: {},
    }),
  };
}

interface Container {
  home: string;
  part: PartName;
  mounts: string[];
  user?: User | undefined;
  /** Names of those variables of its environment that it must get, too. */
  variables?: string[];
}

/** How a part's program is called, as a program or in a container named after home and part. */
export function commandOf(tools: Tools, binary: string, { home, part, mounts, user, variables = [] }: Container): Command {
  const command = tools.tool(binary);
  if (!tools.image) return command;
  const container = `${path.basename(outsideHome(home))}-${part}`;
  // SIGKILL ends the client, not the container: the name must be free before the next run.
  spawnSync('docker', ['rm', '-f', container], { stdio: 'ignore', timeout: 30_000 });
  const { uid, gid } = user ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const more = [
    '--name',
    container,
    '--user',
    `${uid}:${gid}`,
    ...mounts.flatMap((folder) => ['-v', `${folder}:${folder}`]),
    ...variables.flatMap((name) => ['-e', name]),
  ];
  return { ...command, args: ['run', ...more, ...command.args.slice(1)] };
}
