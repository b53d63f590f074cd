import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { watchFolders } from './compile.ts';

describe('a watched folder', () => {
  let root: string;
  let stop: () => void;
  const changed: string[] = [];

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'watched-'));
    fs.mkdirSync(path.join(root, 'rooms'));
    fs.writeFileSync(path.join(root, 'rooms', 'sid.ts'), '');
    changed.length = 0;
    stop = watchFolders(
      root,
      (file) => changed.push(path.relative(root, file)),
      (error) => {
        throw error;
      },
    );
  });
  afterEach(() => {
    stop();
    fs.rmSync(root, { recursive: true });
  });

  const reported = async (file: string) => {
    while (!changed.includes(file)) await new Promise((resolve) => setTimeout(resolve, 10));
    // All events of this change.
    await new Promise((resolve) => setTimeout(resolve, 50));
    changed.length = 0;
  };

  it('reports a file each time an editor replaces it', async () => {
    for (let time = 1; time <= 3; time += 1) {
      fs.writeFileSync(path.join(root, 'sid.tmp'), String(time));
      fs.renameSync(path.join(root, 'sid.tmp'), path.join(root, 'rooms', 'sid.ts'));
      await reported('rooms/sid.ts');
    }
  });

  it('reports a file that is written in place', async () => {
    fs.appendFileSync(path.join(root, 'rooms', 'sid.ts'), 'x');
    await reported('rooms/sid.ts');
  });

  it('reports files in a new folder', async () => {
    fs.mkdirSync(path.join(root, 'new'));
    // The folder is watched as soon as its own event has arrived.
    await new Promise((resolve) => setTimeout(resolve, 100));
    fs.writeFileSync(path.join(root, 'new', 'file.ts'), '');
    await reported('new/file.ts');
  });
});
