import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { ask } from '../run.ts';
import { outsideHome, type User } from '../paths.ts';
import type { Command } from '../process.ts';
import type { PartName, Tools } from './find.ts';

/** Images built from scratch have no PATH, so the full path is needed. */
const ENTRYPOINTS: Record<string, string> = { 'nats-server': '/nats-server', 'livekit-server': '/livekit-server' };

/**
 * Runs the official image instead of a local program, if a Docker engine is available: with the same command line, in the host's network,
 * and with folders mounted under their own paths, so that callers see no difference.
 */
export async function dockerTools(image: string, env: NodeJS.ProcessEnv): Promise<Tools | undefined> {
  // On a Mac the engine runs in a virtual machine, whose network is not the host's.
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
  /** Names of variables that the container gets from the client's environment. */
  variables?: string[];
}

/** The command of a part's program: the program itself, or a container that is named after home and part. */
export function commandOf(tools: Tools, binary: string, { home, part, mounts, user, variables = [] }: Container): Command {
  const command = tools.tool(binary);
  if (!tools.image) return command;
  const container = `${path.basename(outsideHome(home))}-${part}`;
  // SIGKILL ends the docker client, not the container. The container's name must be free for the next run.
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
