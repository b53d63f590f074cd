import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxClock, SystemClock } from './clock.js';

const AT = new Date('2026-09-01T08:00:00Z');
const LATER = new Date('2026-09-01T08:45:00Z');

describe('the clock of a sandbox', () => {
  it('stands still until it is moved, and LiveKit with it; what signatures need is the real time', () => {
    const clock = new SandboxClock(AT);
    expect([clock.now(), clock.classTime(), clock.jumpMs]).toEqual([AT, AT, 0]);
    clock.moveTo(LATER);
    expect([clock.now(), clock.classTime(), clock.jumpMs]).toEqual([LATER, LATER, 45 * 60_000]);
    expect(Math.abs(clock.wall().getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('never moves back', () => {
    const clock = new SandboxClock(LATER);
    clock.moveTo(AT);
    expect(clock.now()).toEqual(LATER);
  });

  it('continues where its file says, and without one does not start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clock-'));
    const file = join(folder, 'clock.json');
    writeFileSync(file, JSON.stringify({ now: AT.toISOString() }));
    expect(SandboxClock.fromFile(file).now()).toEqual(AT);
    writeFileSync(file, '{}');
    expect(() => SandboxClock.fromFile(file)).toThrow(/contains no time/);
    rmSync(folder, { recursive: true });
  });
});

it('the clock of production has no jumps, and classes happen in real time', () => {
  const clock = new SystemClock();
  expect(clock.jumpMs).toBe(0);
  expect(Math.abs(clock.classTime().getTime() - Date.now())).toBeLessThan(60_000);
});
