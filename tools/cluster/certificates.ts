import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { API_SERVICE, NODE } from './addresses.ts';

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
