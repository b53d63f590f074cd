import fs from 'node:fs';
import path from 'node:path';
import { DNS_SERVICE, POD_NETWORK } from './addresses.ts';

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
