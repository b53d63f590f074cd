import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render, SETS } from './support/chart.js';
import { containersOf, ofKind, identityOf, workloads, type Workload } from './support/manifests.js';
import { REPO } from './support/programs.js';

jest.setTimeout(300_000);

const QUANTITY = /^[0-9]/;

describe("a recorder's node profile", () => {
  it('replaces the default profile for the recorder only, because of its Chromium', async () => {
    const profile = 'profiles/user-namespaces.json';
    const profiles = workloads(await render('defaults', [`recorder.seccompLocalhostProfile=${profile}`])).flatMap((workload) =>
      containersOf(workload).map(({ securityContext }) => [workload.metadata.name.includes('recorder'), securityContext['seccompProfile']]),
    );
    const recorder = { type: 'Localhost', localhostProfile: profile };
    expect(profiles.filter(([isRecorder]) => isRecorder)).toEqual([[true, recorder]]);
    expect(new Set(profiles.filter(([isRecorder]) => !isRecorder).map(([, it]) => JSON.stringify(it)))).toEqual(
      new Set(['{"type":"RuntimeDefault"}']),
    );
  });
});

describe('deploy/seccomp/chromium.json', () => {
  it('denies what no recorder needs, and allows the namespaces of Chromium’s sandbox', () => {
    const { syscalls } = JSON.parse(readFileSync(join(REPO, 'deploy', 'seccomp', 'chromium.json'), 'utf8')) as {
      syscalls: { names: string[]; action: string }[];
    };
    const denied = syscalls.filter(({ action }) => action === 'SCMP_ACT_ERRNO').flatMap(({ names }) => names);
    expect(denied).toEqual(expect.arrayContaining(['mount', 'ptrace', 'bpf', 'kexec_load', 'keyctl', 'io_uring_setup', 'perf_event_open']));
    expect(denied.filter((name) => ['clone', 'clone3', 'unshare', 'setns', 'chroot', 'seccomp', 'prctl'].includes(name))).toEqual([]);
    expect(new Set(denied).size).toBe(denied.length);
  });
});

describe.each(SETS)('every pod with %s', (set) => {
  it('follows the policy "restricted", and writes only to volumes', async () => {
    for (const workload of workloads(await render(set))) {
      const { name } = workload.metadata;
      const { securityContext, hostNetwork, hostPID, automountServiceAccountToken, volumes } = workload.spec.template.spec;
      expect({ name, hostNetwork, hostPID, automountServiceAccountToken }).toEqual({ name, automountServiceAccountToken: false });
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(securityContext['runAsUser']).toBeGreaterThan(0);
      expect(volumes.map((volume) => Object.keys(volume).find((key) => key !== 'name'))).toEqual(
        expect.not.arrayContaining(['hostPath', 'secret']),
      );
      for (const container of containersOf(workload)) {
        expect([name, container.securityContext]).toEqual([
          name,
          {
            runAsNonRoot: true,
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
            seccompProfile: { type: 'RuntimeDefault' },
          },
        ]);
      }
    }
  });

  it('has resource requests and a memory limit', async () => {
    for (const workload of workloads(await render(set))) {
      for (const { resources } of containersOf(workload)) {
        expect([workload.metadata.name, resources]).toEqual([
          workload.metadata.name,
          {
            requests: { cpu: expect.stringMatching(QUANTITY), memory: expect.stringMatching(QUANTITY) },
            limits: { memory: expect.stringMatching(QUANTITY) },
          },
        ]);
      }
    }
  });

  it('can write to /tmp, where compiled code is kept, and to its home folder', async () => {
    for (const workload of workloads(await render(set))) {
      const [container] = containersOf(workload);
      const writable = container?.volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath) ?? [];
      const homes = container?.env.filter(({ name }) => /_HOME$|^HOME$|COMPILE_CACHE$/.test(name)).map(({ value = '' }) => value) ?? [];
      expect(homes.filter((home) => !writable.some((path) => home === path || home.startsWith(`${path}/`)))).toEqual([]);
      const mounted = container?.volumeMounts.map(({ name }) => name).sort();
      expect(mounted).toEqual(workload.spec.template.spec.volumes.map((volume) => volume['name']).sort());
    }
  });

  it('has probes and topology spread constraints', async () => {
    for (const deployment of ofKind<Workload>(await render(set), 'Deployment')) {
      const [container] = containersOf(deployment);
      const paths = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map((probe) => [
        probe?.httpGet.path,
        probe?.httpGet.port,
      ]);
      expect(paths).toEqual([
        ['/startupz', 'probes'],
        ['/livez', 'probes'],
        ['/readyz', 'probes'],
      ]);
      expect(container?.ports?.find(({ name }) => name === 'probes')?.containerPort).toBe(
        Number(container?.env.find(({ name }) => name === 'PROBE_PORT')?.value),
      );
      expect(deployment.spec.template.spec.topologySpreadConstraints?.length).toBeGreaterThan(0);
    }
  });

  it('has a disruption budget', async () => {
    const manifests = await render(set);
    const budgets = ofKind<any>(manifests, 'PodDisruptionBudget').map(({ spec }) => JSON.stringify(spec.selector.matchLabels));
    for (const deployment of ofKind<any>(manifests, 'Deployment')) {
      expect([identityOf(deployment), budgets.includes(JSON.stringify(deployment.spec.selector.matchLabels))]).toEqual([
        identityOf(deployment),
        true,
      ]);
    }
  });
});
