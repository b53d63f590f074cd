import fs from 'node:fs';
import { StackError } from '../stack/context.ts';
import { ask } from '../stack/run.ts';

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
