import fs from 'node:fs';
import path from 'node:path';
import { StackError, type Variables } from '../stack/context.ts';
import { endOrphans, ownerId } from '../stack/pidfile.ts';
import { ManagedProcess, ORDER } from '../stack/process.ts';
import { ask, run } from '../stack/run.ts';

const START_MS = 30_000;
const STOP_MS = 90_000;

/** For builds alone: build steps use the machine's network, and the engine changes nothing in it. */
const WITHOUT_NETWORK = [
  '--bridge=none',
  '--iptables=false',
  '--ip6tables=false',
  '--ip-forward=false',
  '--ip-masq=false',
  '--userland-proxy=false',
];

/** Docker's engine, without a service and next to one that the machine may have. It keeps images, containers and volumes in a folder of its own. */
export class Engine {
  /** In the variables of Docker's client. */
  readonly env: NodeJS.ProcessEnv;
  private readonly folder: string;
  private readonly daemon: ManagedProcess;

  /** @param namespace in which containers run; without one the engine can only build */
  constructor(folder: string, namespace?: NetworkNamespace) {
    this.folder = folder;
    const socket = `unix://${path.join(folder, 'docker.sock')}`;
    this.env = { ...process.env, DOCKER_HOST: socket, DOCKER_BUILDKIT: '1' };
    const files = { 'data-root': 'data-root', 'exec-root': 'exec-root', pidfile: 'docker.pid' };
    const places = Object.entries(files).map(([flag, name]) => `--${flag}=${path.join(folder, name)}`);
    const all = [...places, `--host=${socket}`, '--storage-driver=overlay2'];
    const [file, args] = namespace ? namespace.enter('dockerd', all) : ['dockerd', [...all, ...WITHOUT_NETWORK]];
    this.daemon = new ManagedProcess(
      {
        name: 'dockerd',
        order: ORDER.part,
        readyMs: START_MS,
        graceMs: STOP_MS,
        check: async () => (await this.ask('version', '--format', '{{.Server.Version}}')) !== undefined,
        command: () => ({ file, args, env: process.env as Variables }),
      },
      { home: folder, owner: ownerId() },
    );
  }

  /** Ends the one that an earlier run left. @throws {StackError} with the last lines of its log */
  async start(): Promise<void> {
    await endOrphans(this.folder, { graceMs: STOP_MS });
    await this.daemon.start();
  }

  async stop(): Promise<void> {
    await this.daemon.stop();
  }

  /** Runs Docker's client. Its output is in the log. */
  docker(args: string[], { what, cwd }: { what: string; cwd?: string }): Promise<void> {
    const logFile = path.join(this.folder, `${what.replaceAll(/[^a-z0-9.]+/gi, '-')}.log`);
    fs.rmSync(logFile, { force: true });
    const options = { env: this.env, timeoutMs: 45 * 60_000, logFile, what };
    return run(client(), args, { ...options, ...(cwd ? { cwd } : {}) });
  }

  /** @returns what Docker's client printed; undefined if it failed */
  ask(...args: string[]): Promise<string | undefined> {
    return ask(client(), args, { env: this.env });
  }
}

/** Debian's client brings BuildKit; newer ones want a plugin for it. Looked up for each call: the check itself may have installed it. */
const client = () => (fs.existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker');

/** A network namespace of this machine. Its processes reach each other over loopback and bridges of its own, and no other network. */
export interface NetworkNamespace {
  name: string;
  /** @returns the command that runs the program in the namespace, with the files and processes of the machine */
  enter: (file: string, args: string[]) => [file: string, args: string[]];
}

async function ip(...args: string[]): Promise<void> {
  if ((await ask('ip', args)) === undefined)
    throw new StackError(`ip ${args.join(' ')} failed: network namespaces need root, and a kernel that has them.`);
}

/**
 * Creates the namespace, or opens one that an earlier run left.
 * @param address of an interface `node0` in it, to which the default route leads
 */
export async function openNamespace(name: string, address: string): Promise<NetworkNamespace> {
  const names = (await ask('ip', ['netns', 'list'])) ?? '';
  if (!names.split('\n').some((line) => line.split(' ')[0] === name)) await ip('netns', 'add', name);
  const within = (...args: string[]) => ip('-netns', name, ...args);
  if ((await ask('ip', ['-netns', name, 'link', 'show', 'node0'])) === undefined) {
    // The kernel may have no dummy device.
    await within('link', 'add', 'node0', 'type', 'veth', 'peer', 'name', 'node0-peer');
    await within('address', 'add', `${address}/24`, 'dev', 'node0');
    for (const link of ['lo', 'node0', 'node0-peer']) await within('link', 'set', link, 'up');
    await within('route', 'add', 'default', 'dev', 'node0');
  }
  return { name, enter: (file, args) => ['nsenter', [`--net=/run/netns/${name}`, '--', file, ...args]] };
}

export const deleteNamespace = ({ name }: Pick<NetworkNamespace, 'name'>) => ip('netns', 'delete', name);

/** A script that gives a process in a mount namespace of its own a file of host names. @param file that is written */
export function withHosts(file: string, hosts: Record<string, string>): string {
  const lines = Object.entries(hosts).map(([host, address]) => `${address} ${host}\n`);
  fs.writeFileSync(file, `${fs.readFileSync('/etc/hosts', 'utf8')}\n${lines.join('')}`);
  return `mount --bind ${file} /etc/hosts`;
}
