import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Enforces the NetworkPolicies of a node: translates them to nftables in its forward and input hooks, because no package registry has a network plugin that does.
 * Runs in the node's network namespace. As with real plugins, policies see addresses and ports of pods, and select no pod on the host's network.
 * Connections that a process of the node itself opens to a pod (probes, LiveKit on the host's network) are not filtered.
 */

interface Meta {
  name: string;
  namespace: string;
  labels?: Record<string, string>;
}

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  podSelector?: Selector;
  namespaceSelector?: Selector;
}

interface Port {
  protocol?: string;
  port?: number;
  endPort?: number;
}

interface Policy {
  podSelector: Selector;
  policyTypes?: string[];
  ingress?: { from?: Peer[]; ports?: Port[] }[];
  egress?: { to?: Peer[]; ports?: Port[] }[];
}

interface Pod {
  metadata: Meta;
  spec: { hostNetwork?: boolean };
  status: { podIP?: string; phase?: string };
}

interface Cluster {
  policies: { metadata: Meta; spec: Policy }[];
  pods: Pod[];
  namespaces: Map<string, Record<string, string>>;
}

const POLL_MS = 1_000;

export function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Record<string, string> = {}): boolean {
  const isExpressed = ({ key, operator, values = [] }: { key: string; operator: string; values?: string[] }) => {
    const has = key in labels;
    if (operator === 'Exists') return has;
    if (operator === 'DoesNotExist') return !has;
    const isAmong = has && values.includes(labels[key] ?? '');
    return operator === 'In' ? isAmong : !isAmong;
  };
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every(isExpressed);
}

const isFour = (cidr: string) => !cidr.includes(':');

/** @param side `saddr` or `daddr`: where the peer's address is @returns conditions of nftables, one of which must hold; none for peers without an address */
function peersIn(cluster: Cluster, list: Peer[] | undefined, namespace: string, side: string): string[] {
  if (!list?.length) return [''];
  return list.flatMap(({ ipBlock, podSelector, namespaceSelector }) => {
    if (ipBlock) {
      const except = (ipBlock.except ?? []).filter(isFour);
      const without = except.length > 0 ? ` ip ${side} != { ${except.join(', ')} }` : '';
      return isFour(ipBlock.cidr) ? [`ip ${side} ${ipBlock.cidr}${without}`] : [];
    }
    const isThere = ({ metadata }: Pod) =>
      namespaceSelector ? matches(namespaceSelector, cluster.namespaces.get(metadata.namespace)) : metadata.namespace === namespace;
    const selected = cluster.pods.filter((pod) => isThere(pod) && (!podSelector || matches(podSelector, pod.metadata.labels)));
    const addresses = [...new Set(selected.map(({ status }) => status.podIP))];
    return addresses.length > 0 ? [`ip ${side} { ${addresses.join(', ')} }`] : [];
  });
}

function portsIn(list: Port[] | undefined): string[] {
  if (!list?.length) return [''];
  return list.map(({ protocol = 'TCP', port, endPort }) => {
    const name = protocol.toLowerCase();
    if (port === undefined) return `meta l4proto ${name}`;
    return `${name} dport ${endPort ? `${port}-${endPort}` : port}`;
  });
}

/** @returns the rules of nftables */
export function translate(cluster: Cluster): string {
  const chains: string[] = [];
  const jumps: string[] = [];
  const toNode: string[] = [];
  for (const { metadata, status } of cluster.pods) {
    const mine = cluster.policies.filter(
      (policy) => policy.metadata.namespace === metadata.namespace && matches(policy.spec.podSelector, metadata.labels),
    );
    for (const type of ['Ingress', 'Egress'] as const) {
      const isolating = mine.filter(({ spec }) => (spec.policyTypes ?? ['Ingress']).includes(type));
      if (isolating.length === 0) continue;
      const [own, other] = type === 'Ingress' ? ['daddr', 'saddr'] : ['saddr', 'daddr'];
      const allowed = isolating.flatMap(({ spec, metadata: { namespace } }) => {
        const rules: { peers: Peer[] | undefined; ports: Port[] | undefined }[] =
          type === 'Ingress'
            ? (spec.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
            : (spec.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }));
        return rules.flatMap(({ peers, ports }) =>
          peersIn(cluster, peers, namespace, other).flatMap((peer) => portsIn(ports).map((port) => `${peer} ${port} return`.trim())),
        );
      });
      const chain = `${type.toLowerCase()}-${metadata.namespace}-${metadata.name}`.replaceAll(/[^a-z0-9-]/g, '-').slice(0, 120);
      chains.push(`chain ${chain} {\n${[...new Set(allowed)].join('\n')}\ndrop\n}`);
      jumps.push(`ip ${own} ${status.podIP} jump ${chain}`);
      if (type === 'Egress') toNode.push(`ip ${own} ${status.podIP} jump ${chain}`);
    }
  }
  const hook = (name: string, lines: string[]) =>
    `chain ${name} {\ntype filter hook ${name} priority -5; policy accept;\nct state established,related accept\n${lines.join('\n')}\n}`;
  const table = [...chains, hook('forward', jumps), hook('input', toNode)].join('\n');
  return `table inet policies {}\ndelete table inet policies\ntable inet policies {\n${table}\n}\n`;
}

/** @param kubectl with the arguments that all calls need */
function read([file = '', ...args]: string[]): Cluster {
  const text = execFileSync(file, [...args, 'get', 'networkpolicies,pods,namespaces', '--all-namespaces', '--output=json'], {
    maxBuffer: 256 * 2 ** 20,
  }).toString();
  const { items } = JSON.parse(text) as { items: ({ kind: string } & Pod & { spec: Policy })[] };
  const of = (kind: string) => items.filter((item) => item.kind === kind);
  const isAddressed = ({ spec, status }: Pod) => !spec.hostNetwork && status.podIP && !['Succeeded', 'Failed'].includes(status.phase ?? '');
  return {
    policies: of('NetworkPolicy'),
    pods: of('Pod').filter(isAddressed),
    namespaces: new Map(of('Namespace').map(({ metadata }) => [metadata.name, metadata.labels ?? {}])),
  };
}

async function main(kubectl: string[]): Promise<void> {
  for (let last = ''; ; await sleep(POLL_MS)) {
    try {
      const rules = translate(read(kubectl));
      if (rules === last) continue;
      const { status, stderr } = spawnSync('nft', ['-f', '-'], { input: rules });
      process.stdout.write(`${new Date().toISOString()} nft ended with ${status} ${stderr}\n`);
      if (status === 0) last = rules;
    } catch (error) {
      process.stdout.write(`${String(error)}\n`);
    }
  }
}

if (import.meta.main) void main(process.argv.slice(2));
