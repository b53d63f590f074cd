import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunningStack } from '@classroom/testing';
import { blockedPods, unreadyPods, type Blocked, type EventItem, type PodItem } from '../../tools/cluster/blocked-pods.js';

const run = promisify(execFile);
const REPO = join(__dirname, '..', '..');
const CHART = join(REPO, 'deploy', 'helm', 'virtual-classroom');
const MANIFESTS = join(__dirname, 'manifests');
const MOST_OUTPUT = 64 * 2 ** 20;
const MINUTE = 60_000;
const POLL_MS = 3_000;
/** Address of the operators' API. */
const OPERATORS = '10.96.0.81';
/** NATS reads a value that begins with a digit as a number. */
const password = () => `n${randomBytes(24).toString('hex')}`;
/** Volumes that the drill of a restore deletes. */
const LOST = ['postgres', 'nats', 'redis', 's3'];
const hex = (bytes: number) => randomBytes(bytes).toString('hex');

const WITH_SCHEMA = ['organization', 'room', 'recording', 'billing', 'ai', 'media'];
const WITH_STORAGE = ['gateway', 'organization', 'recording', 'recorder', 'media', 'ai'];
const WITH_JOBS = ['organization', 'room', 'recording', 'billing', 'media'];
export const APPS = ['gateway', 'recorder', ...WITH_SCHEMA];

interface Pod {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  status: { phase: string; conditions?: { type: string; status: string }[] };
}

/** A cluster that tools/cluster has started, with the dependencies and the chart in it. */
export class Cluster {
  private readonly folder = mkdtempSync(join(tmpdir(), 'classroom-cluster-'));
  private readonly passwords = new Map<string, string>();
  private readonly livekit = { key: `API${hex(6)}`, secret: hex(32) };
  private readonly dispatchSecret = hex(24);

  /** Runs kubectl. @returns what it printed @throws with what it complained of */
  kubectl(...args: string[]): Promise<string> {
    return this.program('KUBECTL_PROGRAM', args);
  }

  helm(...args: string[]): Promise<string> {
    return this.program('HELM_PROGRAM', args, this.homes);
  }

  private get homes() {
    return { HELM_CACHE_HOME: this.folder, HELM_CONFIG_HOME: this.folder, HELM_DATA_HOME: this.folder };
  }

  /** Waits until a Deployment has all its pods, or until all of the namespace have. @throws with the reason of a pod that cannot start, as soon as it is known */
  rolledOut(namespace: string, ...args: string[]): Promise<string> {
    const all = ['--namespace', namespace, 'rollout', 'status', ...args];
    return this.whilePodsStart(namespace, (signal) => this.program('KUBECTL_PROGRAM', all, {}, signal));
  }

  /**
   * Does work that ends when pods are ready.
   * @throws as soon as a pod cannot start, with its reason and its last lines; if the work fails, with the states of the pods that are not ready
   */
  private async whilePodsStart<T>(namespace: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    let blocked: Blocked[] = [];
    const watch = setInterval(async () => {
      // The API may be busy for a moment; the work itself fails if it stays so.
      const found = blockedPods(await this.podsAndEvents(namespace).catch(() => []));
      if (found.length === 0) return;
      blocked = found;
      stop.abort();
    }, POLL_MS);
    try {
      return await work(stop.signal);
    } catch (error) {
      const found = blocked.length > 0 ? blocked : unreadyPods(await this.podsAndEvents(namespace));
      const reports = await Promise.all(found.map((it) => this.reportOf(namespace, it)));
      throw new Error([stop.signal.aborted ? 'A pod cannot start:' : (error as Error).message, ...reports].join('\n'), { cause: error });
    } finally {
      clearInterval(watch);
    }
  }

  private async podsAndEvents(namespace: string): Promise<(PodItem | EventItem)[]> {
    const list = await this.kubectl('--namespace', namespace, 'get', 'pods,events', '--output=json');
    return (JSON.parse(list) as { items: (PodItem | EventItem)[] }).items;
  }

  /** The reason, and what the pod logged last: in this run, and in the one that crashed. */
  private async reportOf(namespace: string, { kind, name, why }: Blocked): Promise<string> {
    const logs = (...more: string[]) =>
      this.kubectl('--namespace', namespace, 'logs', name, '--all-containers', '--tail=8', ...more).catch(() => '');
    const lines = kind === 'Pod' ? [await logs('--previous'), await logs()] : [];
    return [`${kind} ${namespace}/${name}: ${why}`, ...new Set(lines.filter(Boolean))].join('\n');
  }

  private async program(variable: string, args: string[], more: Record<string, string> = {}, signal?: AbortSignal): Promise<string> {
    const file = process.env[variable];
    if (!file) throw new Error('these tests need a cluster: run npm run check:cluster');
    const env = { ...process.env, ...more };
    try {
      return (await run(file, args, { maxBuffer: MOST_OUTPUT, timeout: 20 * MINUTE, env, ...(signal && { signal }) })).stdout.trim();
    } catch (error) {
      const { stderr = '', message } = error as { stderr?: string; message: string };
      throw new Error(`${args.slice(0, 4).join(' ')}: ${stderr.trim() || message}`, { cause: error });
    }
  }

  /** Applies a manifest. @param namespace of objects that name none */
  private apply(text: string, namespace?: string): void {
    const where = namespace ? ['--namespace', namespace] : [];
    execFileSync(process.env['KUBECTL_PROGRAM'] ?? '', ['apply', '--server-side', ...where, '--filename=-'], { input: text });
  }

  /** Name resolution, metrics, and the dependencies in the namespace `parts`. */
  async installParts(): Promise<void> {
    for (const name of ['dns', 'metrics-server']) this.apply(this.manifest(name));
    await this.kubectl('create', 'namespace', 'parts');
    const files = (folder: string) =>
      readdirSync(join(REPO, 'deploy', folder))
        .filter((name) => /\.(conf|sh|json)$/.test(name))
        .map((name) => `--from-file=${join(REPO, 'deploy', folder, name)}`);
    const nats = [`--from-file=${join(REPO, 'deploy', 'compose', 'nats.conf')}`, ...files('nats')];
    for (const [name, from] of Object.entries({ nats, redis: files('redis'), s3: files('s3') }))
      await this.kubectl('--namespace', 'parts', 'create', 'configmap', name, ...from);
    await this.secret('parts', 'parts', {
      POSTGRES_PASSWORD: this.passwordOf('postgres'),
      REDIS_PASSWORD: this.passwordOf('redis'),
      ROOT_ACCESS_KEY: 'root',
      ROOT_SECRET_KEY: this.passwordOf('s3'),
      ...Object.fromEntries(['operator', ...APPS].map((app) => [`NATS_${app.toUpperCase()}_PASSWORD`, this.passwordOf(`nats-${app}`)])),
      ...Object.fromEntries(
        [...WITH_JOBS, 'gateway', 'livekit'].map((app) => [`REDIS_${app.toUpperCase()}_PASSWORD`, this.passwordOf(`redis-${app}`)]),
      ),
      ...Object.fromEntries([...WITH_STORAGE, 'egress'].map((app) => [`S3_SECRET_${app}`, this.storageSecretOf(app)])),
    });
    await this.secret('parts', 'livekit', { 'livekit.yaml': JSON.stringify(this.livekitConfiguration()) });
    // Volumes of a path on the node belong to root.
    for (const name of [...LOST, 'archive']) {
      mkdirSync(this.volume(name), { recursive: true });
      chmodSync(this.volume(name), 0o777);
    }
    this.apply(this.manifest('parts').replaceAll('DATA/', `${this.volume('')}/`), 'parts');
    await this.rolledOut('parts', 'deployment', '--timeout=180s');
  }

  /** Namespace and Secrets, as docs/guides/kubernetes.md says. */
  async createSecrets(): Promise<void> {
    await this.kubectl('create', 'namespace', 'school');
    await this.kubectl('label', 'namespace', 'school', 'pod-security.kubernetes.io/enforce=restricted');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await this.secret('school', 'virtual-classroom', {
      'dispatch-secret': this.dispatchSecret,
      ...Object.fromEntries(
        ['classroom-token', 'dashboard-token', 'ai-key', 'webhook-key', 'recording-key'].map((name) => [
          `${name}-secret`,
          this.passwordOf(name),
        ]),
      ),
      'caller-signing-key': privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      'caller-public-keys': publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      'media-signing-keys': `k1:${this.passwordOf('media-signing')}`,
    });
    await this.secret('school', 'virtual-classroom-livekit', { 'api-key': this.livekit.key, 'api-secret': this.livekit.secret });
    const perApp = (apps: string[], of: (app: string) => Record<string, string>) =>
      Object.assign({}, ...apps.map(of)) as Record<string, string>;
    await this.secret(
      'school',
      'virtual-classroom-s3',
      perApp(WITH_STORAGE, (app) => ({ [`${app}-access-key-id`]: app, [`${app}-secret-access-key`]: this.storageSecretOf(app) })),
    );
    await this.secret(
      'school',
      'virtual-classroom-nats',
      perApp(['operator', ...APPS], (app) => ({ [`${app}-url`]: `nats://${app}:${this.passwordOf(`nats-${app}`)}@nats.parts:4222` })),
    );
    await this.secret('school', 'virtual-classroom-redis', {
      ...perApp(WITH_JOBS, (app) => ({ [`${app}-jobs-url`]: `redis://${app}:${this.passwordOf(`redis-${app}`)}@redis.parts:6379/0` })),
      'cache-url': `redis://gateway:${this.passwordOf('redis-gateway')}@redis-cache.parts:6379/0`,
    });
    await this.secret('school', 'virtual-classroom-postgres', {
      'admin-url': this.postgresUrl('postgres', 'postgres'),
      ...perApp(WITH_SCHEMA, (app) => ({ [`${app}-url`]: this.postgresUrl(`classroom_${app}`, `postgres-${app}`) })),
    });
    // Where an ingress controller would be, and what an operator forwards.
    for (const [name, clusterIP, targetPort] of [
      ['edge', '10.96.0.80', 8080],
      ['operators', OPERATORS, 8081],
    ] as const) {
      const selector = { 'app.kubernetes.io/name': 'virtual-classroom', 'app.kubernetes.io/component': 'gateway' };
      const spec = { clusterIP, selector, ports: [{ port: 80, targetPort }] };
      this.apply(JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec }), 'school');
    }
  }

  /** Installs or upgrades the chart with examples/small.yaml, and waits until every pod is ready. */
  upgrade(...more: string[]): Promise<string> {
    return this.upgradeRelease('vc', ...more);
  }

  /** Installs the chart and the images of the version that tools/cluster was given. @param folder of its files */
  installEarlier(folder: string): Promise<string> {
    return this.upgradeChart(join(folder, 'deploy', 'helm', 'virtual-classroom'), 'vc', '--set', 'image.tag=earlier');
  }

  upgradeRelease(release: string, ...more: string[]): Promise<string> {
    return this.upgradeChart(CHART, release, ...more);
  }

  private upgradeChart(chart: string, release: string, ...more: string[]): Promise<string> {
    const values = [join(CHART, 'examples', 'small.yaml'), join(MANIFESTS, 'values.yaml')].map((file) => `--values=${file}`);
    const all = ['upgrade', '--install', release, chart, '--namespace', 'school', ...values, ...more, '--wait', '--timeout', '15m'];
    return this.whilePodsStart('school', (signal) => this.program('HELM_PROGRAM', all, this.homes, signal));
  }

  /** Pods of the chart that are not about to end. */
  async pods(component?: string): Promise<Pod[]> {
    const selector = ['app.kubernetes.io/name=virtual-classroom', ...(component ? [`app.kubernetes.io/component=${component}`] : [])].join(
      ',',
    );
    const { items } = JSON.parse(await this.kubectl('--namespace', 'school', 'get', 'pods', '--selector', selector, '--output=json')) as {
      items: Pod[];
    };
    return items.filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase !== 'Succeeded');
  }

  async readyPods(component?: string): Promise<Pod[]> {
    return (await this.pods(component)).filter(({ status }) =>
      status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
  }

  /** As tests use any stack. */
  async stack(): Promise<RunningStack> {
    const addressOf = (service: string) =>
      this.kubectl('--namespace', 'parts', 'get', 'service', service, '--output=jsonpath={.spec.clusterIP}');
    mkdirSync(join(this.folder, 'logs'), { recursive: true });
    return new RunningStack({
      home: this.folder,
      urls: {
        gateway: 'http://class.school.test',
        operators: `http://${OPERATORS}`,
        livekit: 'http://livekit.school.test:7880',
        livekitPublic: 'ws://livekit.school.test:7880',
        s3: 'http://files.school.test:7070',
        postgresAdmin: this.postgresUrl('postgres', 'postgres').replace('postgres.parts', await addressOf('postgres')),
        nats: `nats://operator:${this.passwordOf('nats-operator')}@${await addressOf('nats')}:4222`,
        redis: '',
      },
      secrets: { dispatchSecret: this.dispatchSecret, s3AccessKeyId: 'root', s3SecretAccessKey: this.passwordOf('s3') },
      ports: { base: 0, gateway: 80, probes: {}, parts: {} },
    });
  }

  /** Copies the files of the running database to the volume of the archive, as docs/guides/backup-and-restore.md says. */
  async backup(): Promise<void> {
    const script = [
      'psql --username postgres --dbname classroom --quiet --no-align --tuples-only <<SQL',
      "SELECT pg_backup_start('drill', true);",
      '\\! rm -rf /archive/base && cp -r $PGDATA /archive/base && rm -rf /archive/base/pg_wal/* /archive/base/postmaster.pid',
      'SELECT labelfile FROM pg_backup_stop(false) \\g /archive/base/backup_label',
      'SQL',
    ];
    const within = `export PGDATA=/var/lib/postgresql/18/docker; ${script.join('\n')}`;
    await this.kubectl('--namespace', 'parts', 'exec', 'deployment/postgres', '--', 'bash', '-c', within);
  }

  isArchived = (file: string) => existsSync(join(this.volume('archive'), file));

  /** Deletes both namespaces with all volumes but the archive. */
  async lose(): Promise<void> {
    const namespaces = ['school', 'parts'];
    await this.kubectl('delete', 'namespace', ...namespaces, '--wait=false');
    // As a node without power: no process ends in order.
    for (const namespace of namespaces)
      await this.kubectl('--namespace', namespace, 'delete', 'pods', '--all', '--force', '--grace-period=0');
    await this.kubectl('wait', '--for=delete', '--timeout=180s', ...namespaces.map((name) => `namespace/${name}`));
    await this.kubectl('delete', 'persistentvolume', '--all');
    for (const name of LOST) rmSync(this.volume(name), { recursive: true, force: true });
  }

  /** Puts the copy where Postgres expects its data, to be followed by everything that was archived since. */
  restore(): void {
    const target = join(this.volume('postgres'), '18', 'docker');
    mkdirSync(join(this.volume('postgres'), '18'), { recursive: true });
    cpSync(join(this.volume('archive'), 'base'), target, { recursive: true });
    writeFileSync(join(target, 'recovery.signal'), '');
    appendFileSync(join(target, 'postgresql.auto.conf'), "restore_command = 'cp /archive/%f %p'\n");
    execFileSync('chown', ['--recursive', '999:999', this.volume('postgres')]);
    execFileSync('chmod', ['0700', target]);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private volume = (name: string) => join(this.folder, 'data', name);

  private manifest = (name: string) => readFileSync(join(MANIFESTS, `${name}.yaml`), 'utf8');

  private async secret(namespace: string, name: string, values: Record<string, string>): Promise<void> {
    const literals = Object.entries(values).map(([key, value]) => `--from-literal=${key}=${value}`);
    await this.kubectl('--namespace', namespace, 'create', 'secret', 'generic', name, ...literals);
  }

  private passwordOf(user: string): string {
    const known = this.passwords.get(user) ?? password();
    this.passwords.set(user, known);
    return known;
  }

  /** deploy/s3/start.sh takes hexadecimal digits alone. */
  private storageSecretOf = (app: string) => this.passwordOf(`s3-${app}`).slice(1);

  private postgresUrl = (role: string, user: string) => `postgres://${role}:${this.passwordOf(user)}@postgres.parts:5432/classroom`;

  private livekitConfiguration() {
    const events = ['room_finished', 'participant_joined', 'participant_left', 'participant_connection_aborted', 'track_published'];
    return {
      port: 7880,
      logging: { level: 'fatal', json: true },
      rtc: {
        udp_port: 7882,
        tcp_port: 7881,
        use_external_ip: false,
        node_ip: '10.98.0.10',
        use_ice_lite: true,
        // The other interfaces lead to pods, and all have the same address.
        interfaces: { includes: ['node0'] },
      },
      redis: { address: 'redis.parts:6379', db: 1, username: 'livekit', password: this.passwordOf('redis-livekit') },
      keys: { [this.livekit.key]: this.livekit.secret },
      room: { auto_create: false },
      api: { enable_psrpc_for_get_list_participants: true },
      webhook: {
        api_key: this.livekit.key,
        urls: ['http://vc-virtual-classroom-gateway.school/livekit/webhook'],
        filter_params: { include_events: [...events, 'egress_started', 'egress_updated', 'egress_ended'] },
      },
    };
  }
}
