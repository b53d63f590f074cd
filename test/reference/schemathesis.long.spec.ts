import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, byForm, SimulatedEgress } from '@classroom/testing';
import { startChaosStack, type ChaosStack } from '../chaos/support.js';
import { everyNth, operationsOf, withoutEndless, withReal, type Document } from './support/given.js';
import { Seed } from './support/seed.js';
import { tryReference, type PhaseResult, type Trial } from './support/schemathesis.js';

/** In the long form: total time of the limited phases, in seconds. */
const SECONDS = Number(process.env['SCHEMATHESIS_SECONDS'] ?? 300);
/** The phases, and what limits their time. Fuzzing and sequences could run indefinitely. */
const PHASES: readonly Pick<Trial, 'phase' | 'seconds'>[] = byForm({
  short: [{ phase: 'examples' }, { phase: 'coverage' }],
  long: [
    { phase: 'examples' },
    ...(['coverage', 'fuzzing', 'stateful'] as const).map((phase) => ({ phase, seconds: Math.ceil(SECONDS / 3) })),
  ],
});
/** The short form tries the boundaries of every so many paths. */
const STEP = byForm({ short: 12, long: 1 });
/** Seed of the generated requests. In the short form it is fixed, so that a new finding is caused by a change. */
const SEED = process.env['SCHEMATHESIS_SEED'] ?? byForm({ short: '1', long: undefined });
/** Share of all operations that must have succeeded at least once. */
const SUCCEEDING = 0.95;
/** In addition to SECONDS: phases without a limit run to their end, and pip may have to download packages. */
const TIMEOUT_MS = 20 * 60_000;

/** Schemathesis sends valid and invalid requests to the served reference and checks every answer against it. */
describe('the served reference under Schemathesis', () => {
  let chaos: ChaosStack;
  let egress: SimulatedEgress;
  let folder: string;
  let document: Document;
  /** With the number of operations that a phase had to try. */
  const tried: (PhaseResult & { selected: number })[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reference-'));
    egress = await SimulatedEgress.listen();
    chaos = await startChaosStack({ env: { recording: { RECORDING_ENGINE: 'egress', LIVEKIT_URL: egress.url } } });
    egress.attach(chaos.stack);
    egress.behave({ slots: 1_000 });
    const baseUrl = chaos.stack.urls.gateway;
    document = withoutEndless((await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document);
    // Each phase runs separately, so that no phase uses up the time of the next, and with a new school, so that none uses up its data.
    for (const limits of PHASES) {
      const { given, settings } = await Seed.plant(chaos.stack, chaos.livekit, new ApiClient(baseUrl));
      const all = withReal(document, given);
      const selected = limits.phase === 'coverage' ? everyNth(all, STEP) : all;
      const { output, report } = await tryReference({ ...limits, folder, baseUrl, document: selected, settings, seed: SEED });
      tried.push({ output, report, selected: operationsOf(selected).length });
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

  it('is tested with every selected operation in every phase', () => {
    expect(tried.map(({ report: { complete, errors, operations } }) => [complete, errors, operations.selected])).toEqual(
      tried.map(({ selected }) => [true, [], selected]),
    );
    expect(tried[0]?.report.operations.tested).toBe(operationsOf(document).length);
    for (const { report } of tried) expect(report.test_cases.generated).toBeGreaterThan(0);
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
