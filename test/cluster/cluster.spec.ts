import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expectMoneyInvariants, unpublishAll, type RecordedRoom, type RunningStack } from '@classroom/testing';
import { isHealthy, RESTART_MS, School } from '../system/school.js';
import { APPS, Cluster } from './cluster.js';
import { SteadyLoad } from './steady-load.js';

/** Screenshots and logs, to look at. */
const OUTPUT = join(__dirname, '..', '..', '.stack', 'cluster');
const NAMESPACE = ['--namespace', 'school'];
const RELEASE = 'vc-virtual-classroom';
/** Files of the version from which the chart is upgraded first, if `npm run check:cluster` was given one. */
const EARLIER = process.env['EARLIER_VERSION'];

/** The chart as docs/guides/kubernetes.md says, with examples/small.yaml, on a Kubernetes node of one's own. */
describe('the chart in a cluster', () => {
  let cluster: Cluster;
  let stack: RunningStack;
  let school: School;
  let room: RecordedRoom;

  beforeAll(async () => {
    mkdirSync(OUTPUT, { recursive: true });
    cluster = new Cluster();
    await cluster.installParts();
    await cluster.createSecrets();
    await (EARLIER ? cluster.installEarlier(EARLIER) : cluster.upgrade());
    stack = await cluster.stack();
    school = await School.open(stack);
  });
  let tests = 0;
  afterEach(async () => {
    const selector = [
      '--selector',
      'app.kubernetes.io/name=virtual-classroom',
      '--all-containers',
      '--prefix',
      '--tail=2000',
      '--max-log-requests=60',
    ];
    // A pod may end while its log is read.
    const logs = await cluster.kubectl(...NAMESPACE, 'logs', ...selector).catch((error: Error) => error.message);
    writeFileSync(join(OUTPUT, `pods-${(tests += 1)}.log`), logs);
    writeFileSync(join(OUTPUT, 'events.log'), await cluster.kubectl('get', 'events', '--all-namespaces', '--sort-by=.lastTimestamp'));
  });
  afterAll(async () => {
    await school?.close();
    cluster?.remove();
  });

  /** Runs `work` under load. @throws if a request failed */
  async function underLoad(work: () => Promise<unknown>): Promise<void> {
    const load = await SteadyLoad.start(school.api);
    try {
      await work();
    } finally {
      await load.stop();
    }
    expect(load.failures.slice(0, 5)).toEqual([]);
    expect(load.requests).toBeGreaterThan(50);
  }

  const deployments = async () =>
    (await cluster.kubectl(...NAMESPACE, 'get', 'deployments', '--output=jsonpath={.items[*].metadata.name}')).split(' ');
  const rolledOut = (name: string) => cluster.rolledOut('school', `deployment/${name}`, '--timeout=300s');

  if (EARLIER)
    it('upgrades from the earlier version without a failed request', async () => {
      await isHealthy(stack);
      room = await school.openClass();
      await school.film(room);
      await underLoad(() => cluster.upgrade());
      await school.film(room);
      await school.endClass(room);
      await school.downloadFilm(room);
      await expectMoneyInvariants(stack);
    });

  it('is installed with every pod ready, in a namespace that enforces the level “restricted”', async () => {
    expect((await cluster.readyPods()).length).toBe((await cluster.pods()).length);
    expect((await deployments()).length).toBe(14);
    await isHealthy(stack);
  });

  it('serves the operators’ API on its own port alone', async () => {
    const statusOf = async (url: string) => (await fetch(`${url}/v1/admin/organizations`)).status;
    expect([await statusOf(stack.urls.gateway), await statusOf(stack.urls.operators ?? '')]).toEqual([404, 401]);
  });

  it('passes its own test', async () => {
    expect(await cluster.helm('test', 'vc', '--namespace', 'school')).toContain('Phase:          Succeeded');
  });

  it('holds a class that a student watches in a browser', async () => {
    room = await school.openClass();
    await school.watchClass(room, join(OUTPUT, 'class.png'));
  });

  it('records the class', () => school.film(room));

  it('stores a video and makes it playable', () => school.publishVideo());

  it('gives out the film and charges the class when it has ended', async () => {
    await school.endClass(room);
    await school.downloadFilm(room);
    await expectMoneyInvariants(stack);
  });

  it('lets pods connect to what they need, and to nothing else', async () => {
    const connects = async (app: string, host: string, port: number) => {
      const script = `require('net').connect(${port},'${host}').setTimeout(2000,()=>process.exit(2)).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))`;
      const [pod] = await cluster.readyPods(app);
      return cluster.kubectl(...NAMESPACE, 'exec', pod?.metadata.name ?? '', '--', 'node', '-e', script).then(
        () => true,
        () => false,
      );
    };
    const cases: [string, string, number, boolean][] = [
      ['gateway', 'nats.parts', 4222, true],
      ['gateway', 'redis-cache.parts', 6379, true],
      ['gateway', 'postgres.parts', 5432, false],
      ['gateway', 'redis.parts', 6379, false],
      ['room', 'postgres.parts', 5432, true],
      ['room', 'livekit.school.test', 7880, true],
      ['room', 's3.parts', 7070, false],
      ['recorder', 'postgres.parts', 5432, false],
      ['recorder', `${RELEASE}-gateway.school`, 80, true],
      ['billing', 'livekit.school.test', 7880, false],
      ['billing', 'kubernetes.default', 443, false],
      ['recorder', 'kubernetes.default', 443, false],
    ];
    const found = await Promise.all(cases.map(async ([app, host, port]) => [app, host, port, await connects(app, host, port)]));
    expect(found).toEqual(cases);
  });

  it('replaces the pods of each Deployment without a failed request', async () => {
    for (const name of await deployments()) {
      await underLoad(async () => {
        await cluster.kubectl(...NAMESPACE, 'rollout', 'restart', `deployment/${name}`);
        await rolledOut(name);
      });
    }
  });

  it('upgrades one app alone, then all, and rolls back, without a failed request', async () => {
    await underLoad(() => cluster.upgrade('--set', 'room.image.tag=next'));
    const images = async () =>
      cluster.kubectl(...NAMESPACE, 'get', 'deployments', '--output=jsonpath={.items[*].spec.template.spec.containers[*].image}');
    expect((await images()).split(' ').filter((image) => image.endsWith(':next')).length).toBe(2);
    await underLoad(() => cluster.upgrade('--set', 'image.tag=next'));
    expect(await images()).not.toContain(':local');
    await underLoad(() => cluster.helm('rollback', 'vc', '--namespace', 'school', '--wait', '--timeout', '15m'));
    expect((await images()).split(' ').filter((image) => image.endsWith(':next')).length).toBe(2);
  });

  it('scales the gateway by its load, and keeps its pods when the autoscaler is turned on and off', async () => {
    await cluster.upgrade('--set', 'gateway.service.replicaCount=2');
    const scaled =
      'autoscaling.enabled=true autoscaling.minReplicas=2 autoscaling.maxReplicas=3 autoscaling.targetCPUUtilizationPercentage=20';
    const replicas: number[] = [];
    const watch = setInterval(
      () =>
        void cluster.readyPods('gateway').then(
          ({ length }) => replicas.push(length),
          () => undefined,
        ),
      1_000,
    );
    try {
      await underLoad(async () => {
        await cluster.upgrade(
          '--set',
          scaled
            .split(' ')
            .map((it) => `gateway.service.${it}`)
            .join(','),
        );
        await eventually(async () => expect((await cluster.readyPods('gateway')).length).toBe(3), RESTART_MS);
      });
      // The autoscaler owns the number of replicas: docs/guides/kubernetes.md names the flag that takes it back.
      await cluster.upgrade('--set', 'gateway.service.replicaCount=2', '--force-conflicts');
    } finally {
      clearInterval(watch);
    }
    expect(Math.min(...replicas)).toBe(2);
  });

  it('evicts pods of a Deployment one by one', async () => {
    const evict = async (pod: string) => {
      const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: 'school' } });
      const file = join(OUTPUT, 'eviction.json');
      writeFileSync(file, body);
      return cluster.kubectl('create', '--raw', `/api/v1/namespaces/school/pods/${pod}/eviction`, '--filename', file);
    };
    const [first, second] = await eventually(async () => {
      const pods = await cluster.readyPods('gateway');
      expect(pods.length).toBe(2);
      return pods.map(({ metadata }) => metadata.name);
    }, RESTART_MS);
    await underLoad(async () => {
      await evict(first ?? '');
      await expect(evict(second ?? '')).rejects.toThrow('disruption budget');
      await eventually(() => evict(second ?? ''), RESTART_MS);
      await eventually(async () => expect((await cluster.readyPods('gateway')).length).toBe(2), RESTART_MS);
    });
  });

  it('is healthy again after the pods of each app and of each part were killed, and holds a class', async () => {
    for (const app of APPS)
      await cluster.kubectl(
        ...NAMESPACE,
        'delete',
        'pods',
        '--selector',
        `app.kubernetes.io/component=${app}`,
        '--force',
        '--grace-period=0',
      );
    await isHealthy(stack);
    for (const part of ['nats', 'redis', 'redis-cache', 's3', 'postgres', 'livekit-server']) {
      await cluster.kubectl(
        '--namespace',
        'parts',
        'delete',
        'pods',
        '--selector',
        `app.kubernetes.io/name=${part}`,
        '--force',
        '--grace-period=0',
      );
      await cluster.rolledOut('parts', `deployment/${part}`, '--timeout=180s');
      await isHealthy(stack);
    }
    const other = await school.openClass();
    await school.film(other);
    await school.endClass(other);
    await school.downloadFilm(other);
    await expectMoneyInvariants(stack);
  });

  it('is installed as several releases, and upgrades each alone', async () => {
    await cluster.helm('uninstall', 'vc', '--namespace', 'school', '--wait');
    const mine = ['media', 'recorder'];
    const others = APPS.filter((app) => !mine.includes(app));
    const only = (apps: string[]) => ['--set', 'fullnameOverride=vc-virtual-classroom', '--set', `apps={${apps.join(',')}}`];
    await cluster.upgradeRelease('vc-core', ...only(others));
    await cluster.upgradeRelease('vc-media', ...only(mine));
    await isHealthy(stack);
    const podsOf = async (apps: string[]) =>
      (await Promise.all(apps.map((app) => cluster.readyPods(app))))
        .flat()
        .map(({ metadata }) => metadata.name)
        .sort();
    const before = await podsOf(others);
    await underLoad(() => cluster.upgradeRelease('vc-media', ...only(mine), '--set', 'image.tag=next'));
    expect(await podsOf(others)).toEqual(before);
    const other = await school.openClass();
    await school.film(other);
    await school.publishVideo();
    await school.endClass(other);
    await school.downloadFilm(other);
    for (const release of ['vc-core', 'vc-media']) await cluster.helm('test', release, '--namespace', 'school');
  });

  it('is rebuilt from the archive of its database after everything else is lost', async () => {
    const ledger = async () => (await school.ledger()).map(({ entryId, credits }) => `${entryId} ${credits}`);
    await cluster.backup();
    const late = await school.openClass();
    await school.film(late);
    await school.endClass(late);
    const before = await ledger();
    const [last] = await stack.rows<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await eventually(() => expect(cluster.isArchived(last?.file ?? '')).toBe(true));
    await cluster.lose();
    const began = Date.now();
    cluster.restore();
    await cluster.installParts();
    await cluster.createSecrets();
    stack = await cluster.stack();
    await unpublishAll(stack, ['organization', 'room', 'recording', 'billing', 'ai', 'media']);
    await cluster.upgrade();
    await isHealthy(stack);
    writeFileSync(
      join(OUTPUT, 'recovery.txt'),
      `The system was healthy ${Math.round((Date.now() - began) / 1_000)} s after the restore began.\n`,
    );
    expect(await ledger()).toEqual(expect.arrayContaining(before));
    const other = await school.openClass();
    await school.watchClass(other);
    await school.film(other);
    await school.endClass(other);
    await school.downloadFilm(other);
    await expectMoneyInvariants(stack);
  });
});
