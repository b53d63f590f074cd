import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, SimulatedEgress } from '@classroom/testing';
import { startBench, type Bench } from '../chaos/support.js';
import { operationsOf, withReal, type Document } from './support/given.js';
import { Seed } from './support/seed.js';
import { tryReference, type Tried } from './support/schemathesis.js';

const SECONDS = Number(process.env['SCHEMATHESIS_SECONDS'] ?? 60);
/** Of all operations, those that have to have succeeded. */
const SUCCEEDING = 0.95;
/** Beside the time that fuzzing has: examples and coverage go to their end, and pip may have to fetch. */
const PATIENCE_MS = 20 * 60_000;

/** Schemathesis makes requests of the served reference, right and wrong ones, and holds every answer against it. */
describe('the served reference, tried', () => {
  let bench: Bench;
  let egress: SimulatedEgress;
  let folder: string;
  let document: Document;
  let tried: Tried;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reference-'));
    egress = await SimulatedEgress.listen();
    bench = await startBench({ env: { recording: { RECORDING_ENGINE: 'egress', LIVEKIT_URL: egress.url } } });
    egress.attach(bench.stack);
    egress.behave({ slots: 1_000 });
    const baseUrl = bench.stack.urls.gateway;
    document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
    const { given, settings } = await Seed.plant(bench.stack, bench.livekit, new ApiClient(baseUrl));
    tried = await tryReference({ folder, baseUrl, document: withReal(document, given), settings, seconds: SECONDS });
    const { operations, test_cases: cases } = tried.report;
    process.stdout.write(`Schemathesis: ${cases.generated} requests of ${operations.tested} operations, ${cases.unique_failures} failures\n`);
  }, PATIENCE_MS);

  afterAll(async () => {
    await egress?.close();
    await bench?.stop();
    if (!process.env['SCHEMATHESIS_KEEP']) rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('goes through every operation in every phase', () => {
    const { report, told } = tried;
    expect([report.complete, report.errors, told]).toEqual([true, [], expect.any(String)]);
    expect(report.operations).toMatchObject({ total: operationsOf(document).length, tested: operationsOf(document).length });
    for (const phase of Object.values(report.phases)) expect(phase.skip_reason).toBeNull();
  });

  it('gets no answer that the reference does not tell of, and no fault of ours', () => {
    const { failures } = tried.report;
    if (failures.length > 0) throw new Error(tried.told);
    expect(failures).toEqual([]);
  });

  it('succeeds with nearly every operation', () => {
    const labels = operationsOf(document).map(({ label }) => label);
    const never = labels.filter((label) => !Object.values(tried.report.valid_rates[label] ?? {}).some(({ accepted }) => accepted > 0));
    const share = 1 - never.length / labels.length;
    if (share < SUCCEEDING) throw new Error(`only ${(share * 100).toFixed(1)} % succeeded, and never:\n${never.join('\n')}`);
    expect(share).toBeGreaterThanOrEqual(SUCCEEDING);
  });
});
