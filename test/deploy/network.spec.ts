import { readTable, readValues, render, SETS, type AppFacts, type ChartValues } from './support/chart.js';
import { COMPONENT, ofKind, workloads, type Manifest, type NetworkPolicySpec, type Port } from './support/manifests.js';
import { canConnect, type Pod } from './support/reachability.js';

jest.setTimeout(300_000);

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443, 'nats:': 4222 };

function portOf(address: string): Port {
  const { port, protocol } = new URL(address);
  return { port: Number(port) || (DEFAULT_PORTS[protocol] ?? 443) };
}

interface Rule {
  ports: Port[];
  to?: unknown;
}

/** The connections that the table and the values allow an app to open, independently of the templates. */
function expectedEgress(
  { networkPolicy, nats, storage, livekit, telemetry, billing }: ChartValues,
  table: Record<string, AppFacts>,
  talksTo: string[],
): Rule[] {
  const addresses: Record<string, string> = {
    nats: nats.url,
    storage: storage.endpoint,
    livekit: livekit.url,
    telemetry: telemetry.otlpEndpoint,
  };
  const wanted = talksTo.filter((name) => name !== 'clickhouse' || billing.existingSecret);
  return [...wanted, 'dns', ...(telemetry.otlpEndpoint ? ['telemetry'] : [])].map((name) => {
    const peer = networkPolicy.peers[name];
    if (!peer)
      return {
        ports: [{ port: table[name]?.http ?? 0 }],
        to: [{ podSelector: { matchLabels: expect.objectContaining({ [COMPONENT]: name }) } }],
      };
    const ports = peer.ports.length > 0 ? peer.ports : [portOf(addresses[name] ?? '')];
    return peer.to.length > 0 ? { ports, to: peer.to } : { ports };
  });
}

const named = (policies: Manifest<NetworkPolicySpec>[], name: string) =>
  policies.find(({ metadata }) => metadata.name === `vc-virtual-classroom-${name}`)?.spec;

describe.each(SETS)('the network policies with %s', (set) => {
  it('allow each app exactly the connections of the table', async () => {
    const [table, values, manifests] = [await readTable(), await readValues(set), await render(set)];
    const policies = ofKind<NetworkPolicySpec>(manifests, 'NetworkPolicy');
    const apps = Object.entries(table).filter(([app]) => (values[app] as { enabled: boolean }).enabled);
    for (const [app, { talksTo, serviceTalksTo, calledBy = [], http }] of apps) {
      const present = talksTo.filter((name) => !(name in table) || apps.some(([other]) => other === name));
      expect([app, named(policies, app)?.egress]).toEqual([app, expectedEgress(values, table, present)]);
      expect(named(policies, `${app}-service`)?.egress).toEqual(serviceTalksTo && expectedEgress(values, table, serviceTalksTo));
      expect(named(policies, app)?.ingress).toEqual([{ from: values.networkPolicy.callers['metrics']?.from, ports: [{ port: 9090 }] }]);
      const callers = apps.filter(([, facts]) => facts.talksTo.includes(app)).map(([caller]) => caller);
      const expected = [
        ...calledBy.map((caller) => ({ from: values.networkPolicy.callers[caller]?.from, ports: [{ port: http }] })),
        ...[...callers, ...(app === 'gateway' ? ['test'] : [])].map((caller) => ({
          from: [{ podSelector: { matchLabels: expect.objectContaining({ [COMPONENT]: caller }) } }],
          ports: [{ port: http }],
        })),
      ];
      expect([app, named(policies, `${app}-http`)?.ingress ?? []]).toEqual([app, expected]);
    }
    expect(named(policies, 'migrations')?.egress).toEqual(expectedEgress(values, table, ['nats', 'postgres']));
    expect(named(policies, 'test')?.egress).toEqual(expectedEgress(values, table, ['gateway']));
    const further = apps.flatMap(([, { http, serviceTalksTo }]) => [http, serviceTalksTo]).filter(Boolean);
    expect(policies).toHaveLength(4 + apps.length + further.length);
  });

  it('have one for the migrations that exists before them, also at the first install', async () => {
    const policies = ofKind<NetworkPolicySpec>(await render(set), 'NetworkPolicy');
    const [hook] = policies.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade');
    expect(Number(hook?.metadata.annotations?.['helm.sh/hook-weight'])).toBeLessThan(-5);
    expect(hook?.spec).toEqual(named(policies, 'migrations'));
  });

  it('deny all other connections', async () => {
    const manifests = await render(set);
    const policies = ofKind<NetworkPolicySpec>(manifests, 'NetworkPolicy');
    const denied = named(policies, 'default-deny');
    expect(denied).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect([denied?.ingress, denied?.egress]).toEqual([undefined, undefined]);
    for (const { metadata, spec } of workloads(manifests)) {
      expect([
        metadata.name,
        Object.entries(denied?.podSelector.matchLabels ?? {}).every(([name, value]) => spec.template.metadata.labels[name] === value),
      ]).toEqual([metadata.name, true]);
    }
  });

  it('allow one connection between pods of the release: from the gateway to the media service', async () => {
    const manifests = await render(set);
    const policies = ofKind<NetworkPolicySpec>(manifests, 'NetworkPolicy');
    const pods = workloads(manifests).map(({ metadata, spec }) => ({
      name: metadata.name.replace('vc-virtual-classroom-', ''),
      labels: spec.template.metadata.labels,
    }));
    const open = pods.flatMap((from) =>
      pods.flatMap((to) =>
        [8080, 8090, 9090, 5432].filter((port) => canConnect(policies, from, to, port)).map((port) => `${from.name} → ${to.name}:${port}`),
      ),
    );
    // A peer without a location matches any address at its port, including our own pods. None of them listens on port 5432.
    expect(open.filter((line) => !line.endsWith(':5432'))).toEqual(['gateway-service → media-service:8090']);
  });
});

describe('another pod in the cluster', () => {
  const stranger: Pod = { labels: { app: 'stranger' } };

  it('reaches no port', async () => {
    const reached = async (set: string) => {
      const manifests = await render(set);
      const policies = ofKind<NetworkPolicySpec>(manifests, 'NetworkPolicy');
      return workloads(manifests).flatMap(({ metadata, spec }) =>
        [8080, 8090]
          .filter((port) => canConnect(policies, stranger, { labels: spec.template.metadata.labels }, port))
          .map((port) => `${metadata.name}:${port}`),
      );
    };
    for (const set of SETS) expect([set, await reached(set)]).toEqual([set, []]);
  });
});
