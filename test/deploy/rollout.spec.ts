import { readTable, render, template } from './support/chart.js';
import { ofKind, type Manifest, type Workload } from './support/manifests.js';

jest.setTimeout(300_000);

/** @returns the names of the manifests that differ with other settings */
async function changedBy(...settings: string[]): Promise<string[]> {
  const texts = (manifests: Manifest[]) =>
    new Map(manifests.map((it) => [`${it.kind} ${it.metadata.name}`.replace('vc-virtual-classroom-', ''), JSON.stringify(it)]));
  const [before, after] = [texts(await render('defaults')), texts(await render('defaults', settings))];
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)).sort();
}

describe('a service and a role', () => {
  it('are deployed independently: a new version of one app replaces its own pods and migrates its own schema', async () => {
    expect(await changedBy('room.image.tag=0.3.0')).toEqual(['Deployment room-service', 'Deployment room-worker', 'Job room-migrate']);
    expect(await changedBy('gateway.image.tag=0.3.0')).toEqual(['Deployment gateway-service', 'Job streams', 'Pod test']);
  });

  it('may belong to releases of their own, which share no object and together have those of one release', async () => {
    const namesOf = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const only = (apps: string) => render('defaults', ['fullnameOverride=vc-virtual-classroom', `apps={${apps}}`], apps.replace(/,.*/, ''));
    const apps = Object.keys(await readTable());
    const [mine, others] = [['media', 'recorder'], apps.filter((app) => !['media', 'recorder'].includes(app))];
    const [first, second] = await Promise.all([only(mine.join(',')), only(others.join(','))]);
    expect(namesOf(first).filter((name) => namesOf(second).includes(name))).toEqual([]);
    // Each release has its own of these.
    const isOfRelease = (name: string) => /default-deny|migrations|migration-hooks|-streams|-test$|^ServiceAccount /.test(name);
    const all = namesOf(await render('defaults')).filter((name) => !isOfRelease(name));
    expect([...namesOf(first), ...namesOf(second)].filter((name) => !isOfRelease(name)).sort()).toEqual(all.sort());
    const gateway = ofKind<Workload>(second, 'Deployment').find(({ metadata }) => metadata.name.endsWith('gateway-service'));
    const variables = gateway?.spec.template.spec.containers[0]?.env ?? [];
    expect(variables).toContainEqual({ name: 'MEDIA_INTERNAL_URL', value: 'http://vc-virtual-classroom-media:8090' });
  });

  it('need one full name in all releases', async () => {
    const { code, stderr } = await template('defaults', ['apps={media}']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('set fullnameOverride')]);
  });

  it('apply the streams from the image that is named, also where images have digests', async () => {
    const settings = [`gateway.image.digest=sha256:${'a'.repeat(64)}`, 'migrations.streamsTag=0.3.0'];
    const job = ofKind<Workload>(await render('defaults', settings), 'Job').find(({ metadata }) => metadata.name.endsWith('streams'));
    expect(job?.spec.template.spec.containers[0]).toMatchObject({ image: 'virtual-classroom/gateway:0.3.0' });
  });

  it('are scaled independently', async () => {
    expect(await changedBy('billing.worker.replicaCount=5')).toEqual(['Deployment billing-worker']);
    expect(await changedBy('room.service.autoscaling.enabled=true')).toEqual([
      'Deployment room-service',
      'HorizontalPodAutoscaler room-service',
    ]);
  });

  it('add a quarter of their pods at once, unless set', async () => {
    const strategies = async (...settings: string[]) =>
      new Set(ofKind<any>(await render('defaults', settings), 'Deployment').map(({ spec }) => JSON.stringify(spec.strategy.rollingUpdate)));
    expect(await strategies()).toEqual(new Set(['{"maxSurge":"25%","maxUnavailable":0}']));
    expect(await strategies('defaults.rollout.maxSurge=1')).toEqual(new Set(['{"maxSurge":1,"maxUnavailable":0}']));
  });

  it('may have a service account of their own, with a role of the cloud', async () => {
    const manifests = await render('defaults', ['serviceAccount.perApp.media.role=media-role']);
    const accounts = ofKind<any>(manifests, 'ServiceAccount').map(({ metadata }) => [metadata.name, metadata.annotations]);
    expect(accounts).toEqual(
      expect.arrayContaining([
        ['vc-virtual-classroom', undefined],
        ['vc-virtual-classroom-media', { role: 'media-role' }],
      ]),
    );
    const used = ofKind<Workload>(manifests, 'Deployment').map(({ metadata, spec }) => [
      metadata.name,
      spec.template.spec.serviceAccountName,
    ]);
    for (const [name, account] of used)
      expect([name, account]).toEqual([name, name?.includes('-media-') ? 'vc-virtual-classroom-media' : 'vc-virtual-classroom']);
  });

  it('are configured independently', async () => {
    expect(await changedBy('recording.config.RECORDING_RETENTION_HOURS=12')).toEqual([
      'Deployment recording-service',
      'Deployment recording-worker',
    ]);
  });

  it('have pod labels that no new version of the chart changes', async () => {
    for (const { spec } of ofKind<Workload>(await render('defaults'), 'Deployment')) {
      expect(Object.keys(spec.template.metadata.labels).sort()).toEqual([
        'app.kubernetes.io/component',
        'app.kubernetes.io/instance',
        'app.kubernetes.io/name',
        'virtual-classroom/role',
      ]);
    }
  });
});

describe('migrations', () => {
  it('run before the rollout, streams first, one for each schema', async () => {
    const jobs = ofKind<any>(await render('defaults'), 'Job');
    const schemas = Object.entries(await readTable())
      .filter(([, { schema }]) => schema)
      .map(([app]) => `vc-virtual-classroom-${app}-migrate`);
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual([...schemas, 'vc-virtual-classroom-streams'].sort());
    for (const { metadata } of jobs) {
      expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      expect(metadata.annotations?.['helm.sh/hook-weight']).toBe(metadata.name.endsWith('streams') ? '-5' : '0');
    }
  });

  it('limit the connections of the roles as `postgres.connectionLimit` says, by default in proportion to the server', async () => {
    const limitsOf = async (settings: string[]) =>
      ofKind<Workload>(await render('defaults', settings), 'Job').flatMap(({ metadata, spec }) => {
        const limit = spec.template.spec.containers[0]?.env.find(({ name }) => name === 'DATABASE_CONNECTION_LIMIT');
        return limit ? [[metadata.name.replace('vc-virtual-classroom-', ''), limit.value]] : [];
      });
    expect(await limitsOf([])).toEqual([]);
    const migrations = Object.entries(await readTable()).flatMap(([app, { schema }]) => (schema ? [[`${app}-migrate`, '240']] : []));
    expect((await limitsOf(['postgres.connectionLimit=240'])).sort()).toEqual(migrations.sort());
  });

  it('need no object of the release, which does not exist yet at the first install', async () => {
    const jobs = ofKind<Workload>(await render('defaults'), 'Job');
    expect(jobs.map(({ spec }) => spec.template.spec.serviceAccountName)).toEqual(jobs.map(() => 'default'));
    expect(JSON.stringify(jobs)).not.toContain('configMap');
  });
});

describe('a terminating pod', () => {
  const secondsOf = async (set: string) =>
    ofKind<Workload>(await render(set), 'Deployment').map(({ metadata, spec }) => {
      const { terminationGracePeriodSeconds = 0, containers } = spec.template.spec;
      const waits = containers[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0;
      const drains = Number(containers[0]?.env.find(({ name }) => name === 'DRAIN_SECONDS')?.value);
      return { name: metadata.name.replace('vc-virtual-classroom-', ''), drains, spare: terminationGracePeriodSeconds - waits - drains };
    });

  it('is killed 15 s after the drain limit of its app, in addition to its preStop delay', async () => {
    for (const { name, drains, spare } of await secondsOf('production')) {
      expect([name, spare]).toEqual([name, 15]);
      expect([name, drains >= 20]).toEqual([name, true]);
    }
  });

  it('has time to complete the longest capture with its upload, and a long answer', async () => {
    const seconds = Object.fromEntries((await secondsOf('defaults')).map(({ name, drains }) => [name, drains]));
    expect(seconds['recorder-worker']).toBeGreaterThanOrEqual(6 * 3600 + 600);
    expect(seconds['media-worker']).toBeGreaterThan(3600);
    for (const name of ['ai-service', 'gateway-service']) expect(seconds[name]).toBeGreaterThanOrEqual(180 + 15);
  });
});
