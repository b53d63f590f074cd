import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtFile, compile, type Swc } from './compile.ts';

describe('the compiler of single files', () => {
  test('compiles a source file to where the build writes it', () => {
    expect(builtFile('/repo/apps/room/src/lifecycle/end-room.ts')).toBe('/repo/apps/room/dist/lifecycle/end-room.js');
  });

  test.each(['/repo/apps/room/src/presence/interval.spec.ts', '/repo/apps/room/src/README.md'])('leaves out %s', (file) => {
    expect(builtFile(file)).toBeUndefined();
  });

  test('removes the bundles that contain a changed file', () => {
    const repo = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-compile-'));
    const bundleOf = (app: string) => path.join(repo, 'apps', app, 'dist', 'app.js');
    const swc: Swc = { transformFileSync: () => ({ code: '' }) };
    const bundlesAfter = (file: string) => {
      const source = path.join(repo, file);
      for (const folder of [path.dirname(source), ...['room', 'billing'].map((app) => path.dirname(bundleOf(app)))])
        fs.mkdirSync(folder, { recursive: true });
      for (const it of [source, bundleOf('room'), bundleOf('billing')]) fs.writeFileSync(it, '');
      compile(swc, source);
      return ['room', 'billing'].filter((app) => fs.existsSync(bundleOf(app)));
    };
    expect(bundlesAfter('apps/room/src/presence/interval.ts')).toEqual(['billing']);
    expect(bundlesAfter('libs/messaging/src/inbox.ts')).toEqual([]);
    fs.rmSync(repo, { recursive: true });
  });
});
