import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSums } from './build-release.ts';

describe('the sums of a release', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'classroom-release-'));
    mkdirSync(join(folder, 'out', 'images'), { recursive: true });
    writeFileSync(join(folder, 'out', 'images', 'room.tar'), 'image');
    writeFileSync(join(folder, 'out', 'chart.tgz'), 'chart');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: join(folder, 'out'), stdio: 'pipe' }).toString();

  it('are verified by sha256sum, and fail for a changed file', () => {
    writeSums(join(folder, 'out'));
    expect(check('sha256sum', '--check', 'SHA256SUMS')).toBe('chart.tgz: OK\nimages/room.tar: OK\n');
    writeFileSync(join(folder, 'out', 'chart.tgz'), 'another');
    expect(() => check('sha256sum', '--check', 'SHA256SUMS')).toThrow();
  });

  it('have a signature that openssl verifies', () => {
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', join(folder, 'key.pem')], { stdio: 'pipe' });
    execFileSync('openssl', ['pkey', '-in', join(folder, 'key.pem'), '-pubout', '-out', join(folder, 'public.pem')]);
    writeSums(join(folder, 'out'), join(folder, 'key.pem'));
    const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', '../public.pem', '-rawin', '-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig'];
    expect(check('openssl', ...verify)).toContain('Signature Verified Successfully');
    const sums = readFileSync(join(folder, 'out', 'SHA256SUMS'), 'utf8');
    writeFileSync(join(folder, 'out', 'SHA256SUMS'), sums.replace('chart', 'other'));
    expect(() => check('openssl', ...verify)).toThrow();
  });
});
