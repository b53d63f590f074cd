import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, byForm, SimulatedEgress } from '@classroom/testing';
import { startChaosStack, type ChaosStack } from '../chaos/support.js';
import { operationsOf, withReal, type Document } from './support/given.js';
import { Seed } from './support/seed.js';
import { tryReference, type PhaseResult } from './support/schemathesis.js';

/** Total time of the phases that could run indefinitely, in seconds. */
const SECONDS = Number(process.env['SCHEMATHESIS_SECONDS'] ?? byForm({ short: 15, long: 300 }));
/** Seed of the generated requests. In the short form it is fixed, so that a new finding is caused by a change. */
const SEED = process.env['SCHEMATHESIS_SEED'] ?? byForm({ short: '1', long: undefined });
/** In the short form only the phase that tries the boundaries of every input: it is the same in each run. */
const TIMED: readonly ('coverage' | 'fuzzing' | 'stateful')[] = byForm({ short: ['coverage'], long: ['coverage', 'fuzzing', 'stateful'] });
/** Share of all operations that must have succeeded at least once. */
const SUCCEEDING = 0.95;
/** In addition to SECONDS: the examples run to their end, and pip may have to download packages. */
const TIMEOUT_MS = 20 * 60_000;

/** Schemathesis sends valid and invalid requests to the served reference and checks every answer against it. */
describe('the served reference under Schemathesis', () => {
  let chaos: ChaosStack;
  let egress: SimulatedEgress;
  let folder: string;
  let document: Document;
  const tried: PhaseResult[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reference-'));
    egress = await SimulatedEgress.listen();
    chaos = await startChaosStack({ env: { recording: { RECORDING_ENGINE: 'egress', LIVEKIT_URL: egress.url } } });
    egress.attach(chaos.stack);
    egress.behave({ slots: 1_000 });
    const baseUrl = chaos.stack.urls.gateway;
    document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
    // Each phase runs separately, so that no phase uses up the time of the next, and with a new school, so that none uses up its data.
    for (const phase of ['examples', ...TIMED] as const) {
      const { given, settings } = await Seed.plant(chaos.stack, chaos.livekit, new ApiClient(baseUrl));
      const time = phase === 'examples' ? undefined : Math.ceil(SECONDS / TIMED.length);
      tried.push(await tryReference({ phase, folder, baseUrl, document: withReal(document, given), settings, seconds: time, seed: SEED }));
    }
    const cases = tried.map(
      ({ report }) =>
        `${Object.keys(report.phases).find((phase) => report.phases[phase]?.status !== 'skip')} ${report.test_cases.generated}`,
    );
    process.stdout.write(`Schemathesis, requests in each phase: ${cases.join(', ')}\n`);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await egress?.close();
    await chaos?.stop();
    if (!process.env['SCHEMATHESIS_KEEP']) rmSync(folder, { recursive: true, force: true });
  });

  it('is tested with every operation in every phase', () => {
    const reports = tried.map(({ report }) => report);
    const all = operationsOf(document).length;
    expect(reports.map(({ complete, errors, operations }) => [complete, errors, operations.selected])).toEqual(
      reports.map(() => [true, [], all]),
    );
    expect(reports[0]?.operations.tested).toBe(all);
    for (const { test_cases: cases } of reports) expect(cases.generated).toBeGreaterThan(0);
  });

  it('documents every answer, and none is a server error', () => {
    const failing = tried.filter(({ report }) => report.failures.length > 0);
    if (failing.length > 0) throw new Error(failing.map(({ output }) => output).join('\n'));
    expect(failing).toEqual([]);
  });

  it('succeeds with nearly every operation', () => {
    const labels = operationsOf(document).map(({ label }) => label);
    const never = labels.filter(
      (label) => !tried.some(({ report }) => Object.values(report.valid_rates[label] ?? {}).some(({ accepted }) => accepted > 0)),
    );
    const share = 1 - never.length / labels.length;
    process.stdout.write(`${(share * 100).toFixed(1)} % of ${labels.length} operations succeeded; never: ${never.join(', ') || 'none'}\n`);
    expect(share).toBeGreaterThanOrEqual(SUCCEEDING);
  });
});
