import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { wipeHome } from '../stack/home.ts';
import { identify } from '../stack/pidfile.ts';
import { makeTemplate } from '../stack/stack.ts';

const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
/** Bytes that must be free. */
const NEEDED = 8 * 2 ** 30;
const PREFIX = 'classroom-run-';

/** Memory if there is plenty, so that databases and streams do not wait for a disk; otherwise the system's folder for temporary files. */
function parentFolder(): string {
  if (!fs.existsSync(MEMORY)) return os.tmpdir();
  const { bavail, bsize } = fs.statfsSync(MEMORY);
  return Math.min(bavail * bsize, os.freemem()) > NEEDED ? MEMORY : os.tmpdir();
}

/** Runs `work` with an empty folder for the files of tests. Deletes it afterwards, and those that killed runs left. */
export async function withTestFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const parent = parentFolder();
  for (const name of fs.readdirSync(parent)) {
    const isLeft = name.startsWith(PREFIX) && identify(Number(name.slice(PREFIX.length))) === undefined;
    if (isLeft) remove(path.join(parent, name));
  }
  const folder = path.join(parent, `${PREFIX}${process.pid}`);
  fs.mkdirSync(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    remove(folder);
  }
}

/** Also if a killed test has left a small disk in it. */
function remove(folder: string): void {
  const mounts = fs.existsSync(MOUNTS) ? fs.readFileSync(MOUNTS, 'utf8').split('\n') : [];
  for (const [, place = ''] of mounts.map((line) => line.split(' '))) if (place.startsWith(`${folder}/`)) execFileSync('umount', [place]);
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Makes the template from which tests start their stacks, and deletes it after `work`. The stacks of tests are in the same folder. */
export const withTemplate = <T>(work: () => Promise<T>): Promise<T> =>
  withTestFolder(async (folder) => {
    const home = path.join(folder, 'template');
    try {
      await makeTemplate(home);
      Object.assign(process.env, { STACK_TEMPLATE: home, TEST_FOLDER: folder });
      return await work();
    } finally {
      await wipeHome(home);
    }
  });
