/** The parts of manifests that the checks read. */
export type Labels = Record<string, string>;

export interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean }; fieldRef?: { fieldPath: string } };
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  env: Variable[];
  ports?: { name: string; containerPort: number }[];
  resources: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop?: { exec?: { command: string[] }; sleep?: { seconds: number } } };
}

export interface Probe {
  httpGet: { path: string; port: string };
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  hostNetwork?: boolean;
  hostPID?: boolean;
  securityContext: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: unknown[];
  containers: Container[];
  initContainers?: Container[];
  volumes: Record<string, unknown>[];
}

export interface Port {
  port: number;
  endPort?: number;
  protocol?: string;
}

export interface Peer {
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: { matchLabels?: Labels };
  ipBlock?: { cidr: string; except?: string[] };
}

export interface NetworkPolicySpec {
  podSelector: { matchLabels: Labels };
  policyTypes: string[];
  ingress?: { from?: Peer[]; ports?: Port[] }[];
  egress?: { to?: Peer[]; ports?: Port[] }[];
}

export interface Manifest<S = unknown> {
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  spec: S;
}

export interface Workload {
  replicas?: number;
  template: { metadata: { labels: Labels }; spec: PodSpec };
}

export const COMPONENT = 'app.kubernetes.io/component';
export const ROLE = 'virtual-classroom/role';

export const ofKind = <S>(manifests: Manifest[], kind: string): Manifest<S>[] =>
  manifests.filter((it) => it.kind === kind) as Manifest<S>[];

/** Deployments and Jobs, the manifests with pods. */
export const workloads = (manifests: Manifest[]): Manifest<Workload>[] =>
  manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)) as Manifest<Workload>[];

export const containersOf = ({ spec }: Manifest<Workload>): Container[] => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
];

/** App and role of a deployment. */
export const identityOf = ({ spec }: Manifest<Workload>) => ({
  app: spec.template.metadata.labels[COMPONENT] ?? '',
  role: spec.template.metadata.labels[ROLE] ?? '',
});
