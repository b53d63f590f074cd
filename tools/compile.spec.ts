import { builtFile } from './compile.ts';

describe('the compiler of single files', () => {
  test('compiles a source file to where the build writes it', () => {
    expect(builtFile('/repo/apps/room/src/lifecycle/end-room.ts')).toBe('/repo/apps/room/dist/lifecycle/end-room.js');
  });

  test.each(['/repo/apps/room/src/presence/interval.spec.ts', '/repo/apps/room/src/README.md'])('leaves out %s', (file) => {
    expect(builtFile(file)).toBeUndefined();
  });
});
