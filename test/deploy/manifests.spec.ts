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

describe('the rendered chart', () => {
  const kinds = async (set: string) => new Set((await render(set)).map(({ kind }) => kind));

  it('needs no Kubernetes operator unless the values enable one', async () => {
    for (const set of ['defaults', 'small'])
      expect([...(await kinds(set))]).not.toEqual(expect.arrayContaining([expect.stringMatching(/ScaledObject|ServiceMonitor/)]));
    expect([...(await kinds('production'))]).toEqual(
      expect.arrayContaining(['ScaledObject', 'ServiceMonitor', 'HorizontalPodAutoscaler', 'Ingress']),
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
});
