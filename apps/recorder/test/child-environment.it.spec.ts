import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../src/captures/chromium.js';
import { MediaPrograms } from '../src/encoding/media-programs.js';
import { runProgram } from '../src/encoding/run-program.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const SECRET = 'not-for-programs-that-read-media';

/** Chromium and ffmpeg read untrusted media: a vulnerability in either must not reveal our secrets. */
describe('a program that reads media', () => {
  beforeAll(() => {
    process.env['S3_SECRET_ACCESS_KEY'] = SECRET;
  });
  afterAll(() => {
    delete process.env['S3_SECRET_ACCESS_KEY'];
  });

  it('gets only the part of our environment that it needs', async () => {
    const names = (await runProgram('env', []))
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names).toContain('PATH');
    expect(['PATH', 'HOME', 'LANG']).toEqual(expect.arrayContaining(names));
  });

  it('gets nothing of our environment if it is ffmpeg, and limits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'programs-'));
    try {
      const script = '#!/bin/sh\ncat /proc/self/environ /proc/self/limits\necho "$1" > "$2"\n';
      for (const name of ['ffmpeg', 'ffprobe']) writeFileSync(join(folder, name), script, { mode: 0o755 });
      const programs = new MediaPrograms({ FFMPEG_PATH: join(folder, 'ffmpeg') });
      const args = ['written', join(folder, 'file')];
      const output = await programs.ffmpeg({ args, folder, fileSize: 4096 });
      expect(output).not.toMatch(/HOME|LANG|S3_/);
      const limits = { 'cpu time': 7200, 'file size': 4096, 'core file size': 0, 'open files': 256, 'address space': 4 * 1024 ** 3 };
      for (const [name, value] of Object.entries(limits)) expect(output).toMatch(new RegExp(`Max ${name} +${value} `));
      expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('written\n');
      await expect(programs.ffprobe({ args, folder })).rejects.toThrow(/ended with/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has no secret in any of its processes if it is a browser', async () => {
    const profile = mkdtempSync(join(tmpdir(), 'profile-'));
    const browser = await launch({ path: CHROMIUM, isSandboxed: false, profile, width: 320, height: 240 });
    try {
      const own = processesWith((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile));
      expect(own).not.toEqual([]);
      const children = processesWith((pid) => own.includes(parentOf(pid)));
      for (const pid of [...own, ...children]) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(SECRET);
    } finally {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    }
  });
});

/** Processes that end while they are inspected are left out. */
function processesWith(isWanted: (pid: string) => boolean): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && isWanted(pid);
    } catch {
      return false;
    }
  });
}

const parentOf = (pid: string) => /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
