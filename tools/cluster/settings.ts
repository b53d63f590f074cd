import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Writes the configurations of containerd, its network plugin, the kubelet and kube-proxy. @param folder of the node */
export function writeSettings(folder: string): void {
  const at = (...names: string[]) => path.join(folder, ...names);
  const write = (name: string, content: string | object) => {
    fs.mkdirSync(path.dirname(at('etc', name)), { recursive: true });
    fs.writeFileSync(at('etc', name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  write('containerd.toml', containerd(at('containerd'), at('etc', 'cni')));
  write('resolv.conf', 'nameserver 127.0.0.1\n');
  write('cni/10-pods.conflist', {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      // Not a bridge: traffic between pods passes the forward hook, where NetworkPolicies are enforced.
      {
        type: 'ptp',
        ipMasq: false,
        mtu: 1500,
        ipam: {
          type: 'host-local',
          ranges: [[{ subnet: POD_NETWORK }]],
          routes: [{ dst: '0.0.0.0/0' }],
          dataDir: at('addresses'),
        },
      },
      { type: 'portmap', capabilities: { portMappings: true }, snat: true },
    ],
  });
  write('kubelet.json', {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: '0.0.0.0',
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: at('pki', 'ca.crt') } },
    authorization: { mode: 'Webhook' },
    tlsCertFile: at('pki', 'kubelet-server.crt'),
    tlsPrivateKeyFile: at('pki', 'kubelet-server.key'),
    cgroupDriver: 'cgroupfs',
    cgroupRoot: '/classroom-cluster',
    failCgroupV1: false,
    failSwapOn: false,
    containerRuntimeEndpoint: `unix://${at('containerd', 'containerd.sock')}`,
    clusterDNS: [DNS_SERVICE],
    clusterDomain: 'cluster.local',
    resolvConf: at('etc', 'resolv.conf'),
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    podLogsDir: at('pod-logs'),
    volumePluginDir: at('volume-plugins'),
    maxPods: 100,
    serializeImagePulls: false,
    featureGates: { KubeletInUserNamespace: true },
  });
  write('proxy.json', {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    clusterCIDR: POD_NETWORK,
    clientConnection: { kubeconfig: at('pki', 'proxy.kubeconfig') },
    // The limits are the machine's.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    hostnameOverride: 'node1',
  });
}

const containerd = (folder: string, networks: string) => `version = 2
root = "${folder}/root"
state = "${folder}/state"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  disable_apparmor = true
  # A process without CAP_SYS_RESOURCE can't lower it.
  restrict_oom_score_adj = true
  enable_unprivileged_ports = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${networks}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.internal.v1.opt"]
  path = "${folder}/opt"
`;

/** Of the node, and of what runs on its own address. */
export const NODE = '10.98.0.10';
export const POD_NETWORK = '10.244.0.0/24';
export const SERVICE_NETWORK = '10.96.0.0/16';
export const API_SERVICE = '10.96.0.1';
export const DNS_SERVICE = '10.96.0.10';

/** Public names, as browsers and pods know them: the page and API, LiveKit on the node's own address, and the storage. */
export const HOSTS = { 'class.school.test': '10.96.0.80', 'livekit.school.test': NODE, 'files.school.test': '10.96.0.70' };

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const NODE_NAME = 'node1';
const API_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'localhost'];
const names = (dns: string[], ips: string[]) => [...dns.map((name) => `DNS:${name}`), ...ips.map((ip) => `IP:${ip}`)].join(',');

interface Certificate {
  subject: string;
  authority?: 'ca' | 'front-ca';
  server?: string;
}

/** Users of the API, each with a kubeconfig, and certificates of servers. */
const CERTIFICATES: Record<string, Certificate> = {
  apiserver: { subject: '/CN=kube-apiserver', server: names(API_NAMES, ['127.0.0.1', API_SERVICE, NODE]) },
  'apiserver-kubelet': { subject: '/O=system:masters/CN=kube-apiserver-kubelet-client' },
  'kubelet-server': { subject: `/O=system:nodes/CN=system:node:${NODE_NAME}`, server: names([NODE_NAME], [NODE, '127.0.0.1']) },
  'front-proxy': { subject: '/CN=front-proxy-client', authority: 'front-ca' },
  admin: { subject: '/O=system:masters/CN=admin' },
  kubelet: { subject: `/O=system:nodes/CN=system:node:${NODE_NAME}` },
  'controller-manager': { subject: '/CN=system:kube-controller-manager' },
  scheduler: { subject: '/CN=system:kube-scheduler' },
  proxy: { subject: '/CN=system:kube-proxy' },
};

/** Writes the authorities, keys, certificates and kubeconfigs of a cluster into a folder. */
export function writeCertificates(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const [name, subject] of [
    ['ca', '/CN=kubernetes'],
    ['front-ca', '/CN=front-proxy-ca'],
  ] as const)
    openssl('req', '-x509', ...CURVE, '-days', '30', '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.crt`);
  openssl('genrsa', '-out', 'sa.key', '2048');
  openssl('rsa', '-in', 'sa.key', '-pubout', '-out', 'sa.pub');
  for (const [name, { subject, authority = 'ca', server }] of Object.entries(CERTIFICATES)) {
    openssl('req', ...CURVE, '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    const usage = server ? `extendedKeyUsage=serverAuth\nsubjectAltName=${server}` : 'extendedKeyUsage=clientAuth';
    fs.writeFileSync(path.join(folder, `${name}.ext`), `basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,keyEncipherment\n${usage}\n`);
    const by = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-days', '30', '-extfile', `${name}.ext`, '-out', `${name}.crt`);
    fs.writeFileSync(path.join(folder, `${name}.kubeconfig`), kubeconfig(folder, name), { mode: 0o600 });
  }
}

const kubeconfig = (folder: string, name: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster: { server: `https://${NODE}:6443`, 'certificate-authority': path.join(folder, 'ca.crt') } }],
    users: [{ name, user: { 'client-certificate': path.join(folder, `${name}.crt`), 'client-key': path.join(folder, `${name}.key`) } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: name } }],
    'current-context': 'local',
  });
