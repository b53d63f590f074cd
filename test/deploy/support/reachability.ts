import { BlockList } from 'node:net';
import { NAMESPACE } from './chart.js';
import type { Labels, Manifest, NetworkPolicySpec, Peer, Port } from './manifests.js';

export interface Pod {
  labels: Labels;
}

/** A typical pod address, which is in no public network. */
const POD_ADDRESS = '10.42.0.7';

const has = (labels: Labels, wanted: Labels = {}) => Object.entries(wanted).every(([name, value]) => labels[name] === value);

function contains(cidr: string): boolean {
  if (cidr.includes(':')) return false;
  const [network = '', bits] = cidr.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(bits), 'ipv4');
  return list.check(POD_ADDRESS);
}

function matches({ podSelector, namespaceSelector, ipBlock }: Peer, pod: Pod): boolean {
  if (ipBlock) return contains(ipBlock.cidr) && !(ipBlock.except ?? []).some(contains);
  const isInNamespace = !namespaceSelector || has({ 'kubernetes.io/metadata.name': NAMESPACE }, namespaceSelector.matchLabels);
  return isInNamespace && has(pod.labels, podSelector?.matchLabels);
}

const opens = (ports: Port[] | undefined, port: number) =>
  !ports || ports.some((it) => (it.protocol ?? 'TCP') === 'TCP' && port >= it.port && port <= (it.endPort ?? it.port));

/** Whether the policies allow a TCP connection between two pods. As in Kubernetes, both the egress and the ingress side must allow it. */
export function canConnect(policies: Manifest<NetworkPolicySpec>[], from: Pod, to: Pod, port: number): boolean {
  const about = (pod: Pod, type: string) =>
    policies.filter(({ spec }) => spec.policyTypes.includes(type) && has(pod.labels, spec.podSelector.matchLabels));
  const out = about(from, 'Egress');
  const into = about(to, 'Ingress');
  const allowsEgress =
    out.length === 0 ||
    out.some(({ spec }) => spec.egress?.some((rule) => opens(rule.ports, port) && (!rule.to || rule.to.some((peer) => matches(peer, to)))));
  const allowsIngress =
    into.length === 0 ||
    into.some(({ spec }) =>
      spec.ingress?.some((rule) => opens(rule.ports, port) && (!rule.from || rule.from.some((peer) => matches(peer, from)))),
    );
  return allowsEgress && allowsIngress;
}
