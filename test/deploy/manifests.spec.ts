import { lint, render, SETS, template } from './support/chart.js';
import { containersOf, ofKind, workloads } from './support/manifests.js';
import { readYaml } from './support/programs.js';

/** The oldest version that Chart.yaml allows, and the newest whose schemas are available. */
const KUBERNETES = ['1.30.0', '1.37.0'];

jest.setTimeout(300_000);

describe.each(SETS)('the chart with %s', (set) => {
  it('passes lint without a warning', async () => {
    const { code, stdout, stderr } = await lint(set);
    expect({ code, stderr, output: stdout.match(/\[(WARNING|ERROR)\].*/g) }).toEqual({ code: 0, stderr: '', output: null });
  });

  it('renders to manifests that are strictly valid', async () => {
    const { stdout, stderr } = await template(set);
    expect(stderr).toBe('');
    const { documents, errors } = await readYaml(stdout, KUBERNETES);
    expect(errors).toEqual([]);
    expect(documents.length).toBeGreaterThan(30);
  });

  it('gives every object a unique name', async () => {
    const names = (await render(set)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('pins every image to a version', async () => {
    const images = workloads(await render(set))
      .flatMap(containersOf)
      .map(({ image }) => image);
    expect(images.filter((image) => !/:[0-9][\w.-]*$|@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  });

  it('contains no secrets, only references', async () => {
    const variables = workloads(await render(set))
      .flatMap(containersOf)
      .flatMap(({ env }) => env);
    const open = variables.filter(
      ({ name, value }) => /SECRET|PASSWORD|API_KEY|_KEYS$|^S3_ACCESS_KEY_ID$|DATABASE.*URL|REDIS_URL/.test(name) && value !== undefined,
    );
    expect(open).toEqual([]);
    expect(ofKind(await render(set), 'Secret')).toEqual([]);
  });
});

describe('the verification of audit logs', () => {
  it('runs every night as the organization service, whose database and storage it reaches, and keeps what it found', async () => {
    const jobsOf = async (settings: string[]) =>
      ofKind<any>(await render('defaults', settings), 'CronJob').filter(({ metadata }) => metadata.name.endsWith('verify-audit'));
    const [job] = await jobsOf(['serviceAccount.perApp.organization.role=x']);
    const { metadata, spec } = job?.spec.jobTemplate.spec.template ?? {};
    expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/component': 'organization' });
    expect(spec).toMatchObject({ serviceAccountName: 'vc-virtual-classroom-organization', restartPolicy: 'Never' });
    const [{ args, env }] = spec.containers;
    expect(args).toEqual(['node', 'dist/verify-audit.js', '--keep']);
    expect(env.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'AUDIT_SIGNING_KEY']),
    );
    // No other process has the key that signs.
    const others = ofKind<any>(await render('defaults'), 'Deployment');
    expect(others.filter((one) => JSON.stringify(one).includes('audit-signing-key'))).toEqual([]);
    expect(await jobsOf(['audit.verification.enabled=false'])).toEqual([]);
    expect(await jobsOf(['apps={room}', 'fullnameOverride=vc'])).toEqual([]);
  });
});

describe('the rendered chart', () => {
  const kinds = async (set: string) => new Set((await render(set)).map(({ kind }) => kind));

  it('needs no Kubernetes operator unless the values enable one', async () => {
    for (const set of ['defaults', 'small'])
      expect([...(await kinds(set))]).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/ScaledObject|ServiceMonitor|PrometheusRule/)]),
      );
    expect([...(await kinds('production'))]).toEqual(
      expect.arrayContaining(['ScaledObject', 'ServiceMonitor', 'PrometheusRule', 'HorizontalPodAutoscaler', 'Ingress']),
    );
  });

  it('has either replicas or one autoscaler for each workload', async () => {
    const manifests = await render('production');
    const scaled = [...ofKind<any>(manifests, 'ScaledObject'), ...ofKind<any>(manifests, 'HorizontalPodAutoscaler')].map(
      ({ spec }) => spec.scaleTargetRef.name as string,
    );
    expect(scaled).toHaveLength(new Set(scaled).size);
    const counted = ofKind<any>(manifests, 'Deployment').filter(({ spec }) => spec.replicas !== undefined);
    expect(counted.map(({ metadata }) => metadata.name).filter((name) => scaled.includes(name))).toEqual([]);
    expect([...scaled, ...counted.map(({ metadata }) => metadata.name)].sort()).toEqual(
      ofKind(manifests, 'Deployment')
        .map(({ metadata }) => metadata.name)
        .sort(),
    );
  });

  it('has no recorder if LiveKit Egress records', async () => {
    const names = (await render('defaults', ['recording.engine=egress'])).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.includes('recorder'))).toEqual([]);
  });

  it('routes the API, the classroom and media by their hosts', async () => {
    const routes = ofKind<any>(await render('production'), 'Ingress').map(({ spec }) => [
      spec.rules[0].host,
      spec.rules[0].http.paths[0].backend.service.name,
    ]);
    expect(routes).toEqual([
      ['api.school.example', 'vc-virtual-classroom-gateway'],
      ['class.school.example', 'vc-virtual-classroom-gateway'],
      ['media.school.example', 'vc-virtual-classroom-media'],
    ]);
  });

  it('lets bodies of AI and uploads through the Ingress of their host', async () => {
    const limits = async (set: string) =>
      ofKind<any>(await render(set), 'Ingress').map(
        ({ metadata }) => metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'],
      );
    expect(await limits('production')).toEqual(['33m', '33m', '0']);
    // Uploads pass through the gateway.
    expect(await limits('small')).toEqual([undefined, '0']);
  });

  it('routes the same hosts with the Gateway API', async () => {
    const settings = ['ingress.enabled=false', 'gatewayApi.enabled=true', 'gatewayApi.parentRefs[0].name=public'];
    const manifests = await render('production', settings);
    const routes = ofKind<any>(manifests, 'HTTPRoute').map(({ spec }) => [spec.parentRefs, spec.hostnames, spec.rules]);
    expect(routes).toEqual(
      [
        ['api.school.example', 'gateway', 80],
        ['class.school.example', 'gateway', 80],
        ['media.school.example', 'media', 8090],
      ].map(([host, app, port]) => [[{ name: 'public' }], [host], [{ backendRefs: [{ name: `vc-virtual-classroom-${app}`, port }] }]]),
    );
    expect(ofKind(manifests, 'Ingress')).toEqual([]);
    expect((await template('production', ['gatewayApi.enabled=true'])).stderr).toContain('gatewayApi.parentRefs is empty');
  });

  it('lets node autoscalers drain every node but those of recorders, whose temporary files are in memory', async () => {
    for (const { metadata, spec } of ofKind<any>(await render('defaults'), 'Deployment')) {
      const isRecorder = metadata.name.includes('recorder');
      const { annotations } = spec.template.metadata;
      expect([metadata.name, annotations['cluster-autoscaler.kubernetes.io/safe-to-evict']]).toEqual([
        metadata.name,
        isRecorder ? 'false' : undefined,
      ]);
      expect(annotations['cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes']).toBe('tmp');
      const tmp = spec.template.spec.volumes.find(({ name }: { name: string }) => name === 'tmp');
      expect(tmp.emptyDir.medium).toBe(isRecorder ? 'Memory' : undefined);
    }
  });

  it('opens fewer connections to Postgres than its largest example allows', async () => {
    const { stderr } = await template('production', ['postgres.maxConnections=1']);
    const [, connections] = /may open (\d+) connections/.exec(stderr) ?? [];
    expect(Number(connections)).toBeGreaterThan(100);
    expect((await template('production', [`postgres.maxConnections=${connections}`])).code).toBe(0);
    expect((await template('production', [`postgres.maxConnections=${Number(connections) - 1}`])).code).not.toBe(0);
  });
});
