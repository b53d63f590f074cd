import { join } from 'node:path';
import { deadLetters, eventually, expectMoneyInvariants, expectPresenceInvariants, sleep } from '@classroom/testing';
import { expectNoFailure, PROBE_EVERY_MS, underLoad } from '../chaos/balancer.js';
import { MixedLoad } from '../chaos/mixed-load.js';
import { ServiceAddress } from '../chaos/service-address.js';
import { startChaosStack, type ChaosStack } from '../chaos/support.js';
import { Attendance } from './attendance.js';
import { Versions } from './versions.js';

const { obtainRelease } = require('../../tools/release/obtain-release') as { obtainRelease(): Promise<string> };

const PRESENT = join(__dirname, '..', '..');
/** Time in which each version does some work of the other: sweeps, roll-ups and lists run every second or two. */
const TOGETHER_MS = 4_000;
const SHUTDOWN_DELAY_S = 1;
/** The order in docs/guides/upgrading.md: the gateway, which calls all others, comes last. */
const ORDER = ['organization', 'billing', 'room', 'recorder', 'recording', 'media', 'ai', 'gateway'];

/** Starts the last release and replaces it by this version step by step, under 100 requests per second and with participants who join and leave. */
describe('an upgrade from the last release', () => {
  let release: string;
  let chaos: ChaosStack;
  let load: MixedLoad;
  let versions: Versions;
  let attendance: Attendance;
  let addresses: { gateway: ServiceAddress; media: ServiceAddress };

  beforeAll(async () => {
    release = await obtainRelease();
    addresses = { gateway: await ServiceAddress.open(), media: await ServiceAddress.open() };
    const gateway = {
      SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_S),
      MEDIA_INTERNAL_URL: addresses.media.url,
      // For the last release alone.
      CLASSROOM_ASSETS: join(release, 'apps', 'classroom', 'dist'),
    };
    // The last release's gateway signs no statements of callers. Services verify them from the second step of an upgrade on (docs/guides/upgrading.md).
    const all = { CALLER_PUBLIC_KEYS: '' };
    // CATCH_UP_SECONDS is for the last release alone.
    const env = { all, gateway, billing: { ROLLUP_SECONDS: '1', CATCH_UP_SECONDS: '2' } };
    chaos = await startChaosStack({ repo: release, env, webhookPort: addresses.gateway.port });
    const { stack, livekit } = chaos;
    stack.urls.gateway = addresses.gateway.url;
    versions = new Versions(stack, addresses, ORDER);
    load = await MixedLoad.prepare(stack);
    attendance = new Attendance(livekit, load.schools);
  });
  afterAll(async () => {
    attendance?.stop();
    await chaos?.stop();
    await Promise.all(Object.values(addresses ?? {}).map((address) => address.close()));
  });

  const withLoad = async (work: () => Promise<void>) => expectNoFailure(await underLoad(versions.gateways, load.ask, work));

  /** Waits until the balancer has found all processes and each has done some work. */
  const together = () => sleep(2 * PROBE_EVERY_MS + TOGETHER_MS);

  it('begins with the migrations, while the last release is running', async () => {
    await withLoad(async () => {
      await chaos.stack.migrate(ORDER, PRESENT);
      await together();
    });
  });

  it.each(ORDER)('runs the new %s next to the old one, then alone', async (app) => {
    await withLoad(() => versions.replace(app, PRESENT, 'present', together));
  });

  it.each(ORDER)('rolls %s back alone on the new schema, and forward again', async (app) => {
    await withLoad(async () => {
      await versions.replace(app, release, 'released', together);
      await together();
      await versions.replace(app, PRESENT, 'present', together);
    });
  });

  it('bills every minute once, and leaves no dead letters', async () => {
    await attendance.expectTruth(chaos.stack);
    await expectPresenceInvariants(chaos.stack);
    await expectMoneyInvariants(chaos.stack);
    await eventually(async () => expect(await deadLetters(chaos.stack)).toBe(0));
  });
});
