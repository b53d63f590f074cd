import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deleteNamespace, openNamespace, withHosts } from '../containers/engine.ts';
import { StackError, tail } from '../stack/context.ts';
import { ask, run } from '../stack/run.ts';
import { HOSTS, NODE, POD_NETWORK, SERVICE_NETWORK, writeCertificates, writeSettings } from './settings.ts';

const NAMESPACE = 'classroom-cluster';
const READY_MS = 180_000;
const POLL_MS = 500;
const STOP_MS = 15_000;
/** What the kubelet sets for the whole machine, and would end without. It reads these files instead. */
const KERNEL = { 'vm/overcommit_memory': 1, 'kernel/panic': 10, 'kernel/panic_on_oops': 1 };

/** A Kubernetes node with its control plane, in a network and a mount namespace of its own. Images are kept; each start begins with an empty cluster. */
export class ClusterNode {
  readonly folder: string;
  readonly kubeconfig: string;
  private readonly components: string;
  /** Names of the processes, which run until the node stops. */
  private readonly started = new Set<string>();

  /** @param components folder of Kubernetes's programs */
  constructor(folder: string, components: string) {
    this.folder = folder;
    this.components = components;
    this.kubeconfig = this.at('pki', 'admin.kubeconfig');
  }

  /** @throws {StackError} as soon as a process has ended, with its last lines */
  async start(): Promise<void> {
    await this.stop();
    for (const name of fs.existsSync(this.folder) ? fs.readdirSync(this.folder) : [])
      if (name !== 'containerd') fs.rmSync(this.at(name), { recursive: true, force: true });
    for (const name of ['logs', 'pids', 'kernel']) fs.mkdirSync(this.at(name), { recursive: true });
    writeCertificates(this.at('pki'));
    writeSettings(this.folder);
    await this.openSpace();
    makeControlGroup();
    const pki = (name: string) => this.at('pki', name);
    const config = (name: string) => [`--kubeconfig=${pki(`${name}.kubeconfig`)}`];
    const authenticated = (name: string) =>
      ['authentication', 'authorization'].map((it) => `--${it}-kubeconfig=${pki(`${name}.kubeconfig`)}`);
    this.run('etcd', [
      `--data-dir=${this.at('etcd')}`,
      '--listen-client-urls=http://127.0.0.1:2379',
      '--advertise-client-urls=http://127.0.0.1:2379',
      '--listen-peer-urls=http://127.0.0.1:2380',
      '--unsafe-no-fsync',
    ]);
    this.run('containerd', ['--config', this.at('etc', 'containerd.toml')], 'containerd');
    this.run('kube-apiserver', [
      '--etcd-servers=http://127.0.0.1:2379',
      `--service-cluster-ip-range=${SERVICE_NETWORK}`,
      `--advertise-address=${NODE}`,
      '--secure-port=6443',
      '--allow-privileged',
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      `--client-ca-file=${pki('ca.crt')}`,
      `--tls-cert-file=${pki('apiserver.crt')}`,
      `--tls-private-key-file=${pki('apiserver.key')}`,
      `--service-account-key-file=${pki('sa.pub')}`,
      `--service-account-signing-key-file=${pki('sa.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--kubelet-client-certificate=${pki('apiserver-kubelet.crt')}`,
      `--kubelet-client-key=${pki('apiserver-kubelet.key')}`,
      `--kubelet-certificate-authority=${pki('ca.crt')}`,
      '--kubelet-preferred-address-types=InternalIP',
      `--requestheader-client-ca-file=${pki('front-ca.crt')}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-username-headers=X-Remote-User',
      `--proxy-client-cert-file=${pki('front-proxy.crt')}`,
      `--proxy-client-key-file=${pki('front-proxy.key')}`,
    ]);
    await this.until('its API', async () => (await this.ask('get', '--raw', '/readyz')) !== undefined);
    this.run('kube-controller-manager', [
      ...config('controller-manager'),
      ...authenticated('controller-manager'),
      '--allocate-node-cidrs=false',
      `--cluster-cidr=${POD_NETWORK}`,
      `--service-cluster-ip-range=${SERVICE_NETWORK}`,
      `--service-account-private-key-file=${pki('sa.key')}`,
      `--root-ca-file=${pki('ca.crt')}`,
      '--use-service-account-credentials',
      '--leader-elect=false',
      `--cluster-signing-cert-file=${pki('ca.crt')}`,
      `--cluster-signing-key-file=${pki('ca.key')}`,
      '--horizontal-pod-autoscaler-sync-period=5s',
      '--horizontal-pod-autoscaler-downscale-stabilization=30s',
    ]);
    this.run('kube-scheduler', [...config('scheduler'), ...authenticated('scheduler'), '--leader-elect=false']);
    const folders = { 'root-dir': 'kubelet', 'cert-dir': 'kubelet-pki' };
    this.run('kubelet', [
      ...config('kubelet'),
      `--config=${this.at('etc', 'kubelet.json')}`,
      '--hostname-override=node1',
      `--node-ip=${NODE}`,
      ...Object.entries(folders).map(([flag, name]) => `--${flag}=${this.at(name)}`),
    ]);
    this.run('kube-proxy', [`--config=${this.at('etc', 'proxy.json')}`]);
    await this.until('its node', async () => / Ready /.test((await this.ask('get', 'nodes', '--no-headers')) ?? ''));
  }

  /** Stops what an earlier start began, by its process ids, and the containers. */
  async stop(): Promise<void> {
    if (this.pid('space')) {
      for (const name of ['policies', 'kube-proxy', 'kubelet', 'kube-scheduler', 'kube-controller-manager']) await this.end(name);
      for (const signal of ['SIGTERM', 'SIGKILL']) {
        for (const id of await this.tasks()) await this.containerd('tasks', 'kill', '--signal', signal, id);
        for (const until = Date.now() + STOP_MS; (await this.tasks('RUNNING')).length > 0 && Date.now() < until;) await sleep(POLL_MS);
      }
      for (const id of await this.tasks()) await this.containerd('tasks', 'rm', '--force', id);
      for (const id of lines(await this.containerd('containers', 'ls', '--quiet'))) await this.containerd('containers', 'rm', id);
      for (const name of ['kube-apiserver', 'etcd', 'containerd', 'space']) await this.end(name);
    }
    const names = lines(await ask('ip', ['netns', 'list'])).map((line) => line.split(' ')[0] ?? '');
    if (names.includes(NAMESPACE)) await deleteNamespace({ name: NAMESPACE });
    for (const name of names.filter((it) => it.startsWith('cni-'))) await deleteNamespace({ name }).catch(() => {});
  }

  /** @returns the command that runs the program on the node: with its network, and the machine's files */
  enter(file: string, args: string[]): [file: string, args: string[]] {
    const pid = this.pid('space');
    if (!pid) throw new StackError('The node does not run.');
    return ['nsenter', ['--mount', '--net', '--target', String(pid), '--', file, ...args]];
  }

  /** Starts to enforce NetworkPolicies. */
  enforcePolicies(): void {
    const kubectl = [path.join(this.components, 'kubectl'), '--kubeconfig', this.kubeconfig];
    this.run('policies', [path.join(import.meta.dirname, 'policies.ts'), ...kubectl], process.execPath);
  }

  /** Loads images that an engine wrote with `docker save`. */
  async load(archive: string): Promise<void> {
    const [file, args] = this.enter('ctr', [...this.containerdArgs, 'images', 'import', archive]);
    await run(file, args, { logFile: this.at('logs', 'images.log'), what: 'ctr images import' });
  }

  /** Runs kubectl. @returns what it printed; undefined if it failed */
  ask(...args: string[]): Promise<string | undefined> {
    const [file, all] = this.enter(path.join(this.components, 'kubectl'), ['--kubeconfig', this.kubeconfig, ...args]);
    return ask(file, all);
  }

  private get containerdArgs(): string[] {
    return ['--address', this.at('containerd', 'containerd.sock'), '--namespace', 'k8s.io'];
  }

  private containerd(...args: string[]): Promise<string | undefined> {
    const [file, all] = this.enter('ctr', [...this.containerdArgs, ...args]);
    return ask(file, all);
  }

  private async tasks(state?: string): Promise<string[]> {
    if (!state) return lines(await this.containerd('tasks', 'ls', '--quiet'));
    return lines(await this.containerd('tasks', 'ls')).filter((line) => line.endsWith(state));
  }

  private at(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  /** A sleeping process that holds both namespaces. */
  private async openSpace(): Promise<void> {
    const { name } = await openNamespace(NAMESPACE, NODE);
    const mounts = Object.entries(KERNEL).map(([key, value]) => {
      const file = this.at('kernel', path.basename(key));
      fs.writeFileSync(file, `${value}\n`);
      return `mount --bind ${file} /proc/sys/${key}`;
    });
    const first = ['mount --make-rprivate /', 'mount --make-rshared /', withHosts(this.at('hosts'), HOSTS)];
    const script = [...first, ...mounts, 'exec sleep infinity'].join(' && ');
    this.spawn('space', 'nsenter', [`--net=/run/netns/${name}`, '--', 'unshare', '--mount', 'sh', '-c', script]);
    await sleep(POLL_MS);
    const [file, args] = this.enter('sysctl', ['-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.conf.all.rp_filter=0']);
    await ask(file, args);
  }

  private run(name: string, args: string[], program = path.join(this.components, name)): void {
    const [file, all] = this.enter(program, args);
    this.spawn(name, file, all);
  }

  private spawn(name: string, file: string, args: string[]): void {
    const log = fs.openSync(this.at('logs', `${name}.log`), 'a');
    const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log] });
    fs.closeSync(log);
    child.on('error', () => {});
    child.unref();
    if (!child.pid) throw new StackError(`${file} can't be run.`);
    this.started.add(name);
    fs.writeFileSync(this.at('pids', name), String(child.pid));
  }

  private pid(name: string): number | undefined {
    const file = this.at('pids', name);
    const pid = Number(fs.existsSync(file) && fs.readFileSync(file, 'utf8'));
    return pid && fs.existsSync(`/proc/${pid}`) ? pid : undefined;
  }

  private async end(name: string): Promise<void> {
    this.started.delete(name);
    const pid = this.pid(name);
    if (pid) process.kill(pid, 'SIGTERM');
    for (const until = Date.now() + STOP_MS; this.pid(name); await sleep(POLL_MS / 5))
      if (pid && Date.now() > until) process.kill(pid, 'SIGKILL');
    fs.rmSync(this.at('pids', name), { force: true });
  }

  private async until(what: string, isDone: () => Promise<boolean>): Promise<void> {
    const linesOf = (name: string, count: number) => tail(this.at('logs', `${name}.log`), 0, count);
    for (const until = Date.now() + READY_MS; !(await isDone()); await sleep(POLL_MS)) {
      const ended = [...this.started].find((name) => !this.pid(name));
      if (ended) throw new StackError(`The cluster's node did not start: ${ended} has ended.`, { details: linesOf(ended, 8) });
      if (Date.now() < until) continue;
      const logs = ['kube-apiserver', 'kubelet', 'containerd'].flatMap((name) => linesOf(name, 3));
      throw new StackError(`The cluster's node did not start: ${what} is not ready; see ${this.at('logs')}.`, { details: logs });
    }
  }
}

const lines = (text: string | undefined) => (text ?? '').split('\n').filter(Boolean);

/** The group of all pods' processes, for control groups of version 1 and 2. */
function makeControlGroup(): void {
  const root = '/sys/fs/cgroup';
  const name = 'classroom-cluster';
  if (fs.existsSync(path.join(root, 'cgroup.controllers'))) {
    fs.mkdirSync(path.join(root, name), { recursive: true });
    return;
  }
  for (const controller of fs.readdirSync(root)) {
    if (fs.existsSync(path.join(root, controller, 'cgroup.procs'))) fs.mkdirSync(path.join(root, controller, name), { recursive: true });
  }
  for (const file of ['cpuset.cpus', 'cpuset.mems'])
    fs.writeFileSync(path.join(root, 'cpuset', name, file), fs.readFileSync(path.join(root, 'cpuset', file)));
}
