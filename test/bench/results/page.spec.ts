import fs from 'node:fs';
import { PAGE, RESULTS, renderPage } from './page.ts';
import { PATHS } from './paths.ts';
import { readReport, toResult, type Report } from './results.ts';

const round = (units: number, cpu: Record<string, number>) => ({ units, seconds: 2, cpu });
const fold = toResult(PATHS.fold, {
  ours: [round(3000, { gateway: 300_000, billing: 60_000 }), round(5000, { gateway: 500_000, billing: 100_000 })],
  bare: [round(8000, { nats: 480_000 })],
  floor: [round(5000, { nats: 500_000 })],
});
const report: Report = {
  machine: { cores: 2, cpu: 'EPYC', memoryBytes: 8 * 1024 ** 3, os: 'Debian 12', node: 'v24.0.0', parts: { nats: '2.15.2' } },
  results: [{ ...fold, measuredAt: '2026-11-23T10:00:00.000Z', commit: 'bbd9e64724d1' }],
};

describe('the page of benchmark results', () => {
  it('matches results.json; otherwise run node tools/bootstrap.cjs test/bench/results/page.ts', () => {
    expect(fs.readFileSync(PAGE, 'utf8')).toBe(renderPage(readReport(RESULTS)));
  });

  it('has a row with medians, ratios and targets of each path', () => {
    expect(renderPage(report)).toContain(
      '| webhook to session | events | 2,000 | 4,000 | 2,500 | 0.50 (0.80) | 0.80 (1.00) | 120 | 60 | 0.50 | 2026-11-23 `bbd9e647` |',
    );
  });

  it('names machine and versions', () => {
    expect(renderPage(report)).toContain('Measured on 2 cores (EPYC), 8.0 GiB of memory, Debian 12, Node v24.0.0, nats 2.15.2.');
  });

  it('names the command while there are no results', () => {
    expect(renderPage(undefined)).toContain('`npm run bench -- all --json test/bench/results.json` writes the results');
  });
});
