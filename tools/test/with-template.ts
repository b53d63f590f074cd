import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeTemplate } from '../stack/start.ts';
import { wipeHome } from '../stack/wipe.ts';

/** Makes the template from which tests start their stacks, and deletes it after `work`. */
export async function withTemplate<T>(work: () => Promise<T>): Promise<T> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-template-'));
  try {
    await makeTemplate(home);
    process.env.STACK_TEMPLATE = home;
    return await work();
  } finally {
    await wipeHome(home);
    fs.rmSync(home, { recursive: true, force: true });
  }
}
