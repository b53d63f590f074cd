import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunningStack } from '@classroom/testing';

const run = promisify(execFile);
const REPO = join(__dirname, '..', '..');
const MOST_OUTPUT = 64 * 2 ** 20;
const MINUTE = 60_000;

/** Their images have no program among the machine's packages. Without them logs and traces are shown nowhere, and Egress films nothing. */
const UNAVAILABLE = ['egress', 'otel-collector', 'tempo', 'loki', 'grafana'];

interface Container {
  Service: string;
  Name: string;
  State: string;
  Health: string;
  ExitCode: number;
}

/** The project of docker-compose.yml, with the recorder of our own. */
export class ComposeProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'classroom-compose-'));
  readonly settings: Record<string, string> = {};
  private readonly envFile = join(this.folder, '.env');

  private constructor(private readonly program: string) {}

  /** Writes its .env as the guide says. @param options of deploy/compose/env.js */
  static async create(...options: string[]): Promise<ComposeProject> {
    const program = process.env['COMPOSE_PROGRAM'];
    if (!program) throw new Error('these tests need an engine with the images: run npm run check:compose');
    const project = new ComposeProject(program);
    await run(process.execPath, [join(REPO, 'deploy', 'compose', 'env.js'), project.envFile, ...options]);
    for (const line of readFileSync(project.envFile, 'utf8').trim().split('\n')) {
      const [name = '', ...value] = line.split('=');
      project.settings[name] = value.join('=');
    }
    Object.assign(project.settings, { RECORDING_ENGINE: 'embedded' });
    const text = Object.entries(project.settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(project.envFile, text.join(''), { mode: 0o600 });
    return project;
  }

  /** Runs `docker compose` with the arguments. @returns what it printed @throws with its last lines */
  async compose(...args: string[]): Promise<string> {
    const all = [
      '--project-directory',
      REPO,
      '--project-name',
      'classroom-check',
      '--env-file',
      this.envFile,
      ...['recorder', ...(this.settings['COMPOSE_PROFILES'] ?? '').split(',')].filter(Boolean).flatMap((name) => ['--profile', name]),
      ...args,
    ];
    try {
      return (await run(this.program, all, { maxBuffer: MOST_OUTPUT, timeout: 15 * MINUTE })).stdout;
    } catch (error) {
      const { stderr = '', message } = error as { stderr?: string; message: string };
      const last = stderr.trim().split('\n').slice(-15).join('\n');
      throw new Error(`docker compose ${args[0]} failed: ${last || message}`, { cause: error });
    }
  }

  /** Starts every service for which there is an image, and waits until all are healthy. @throws with the last lines of the containers that are not */
  async up(): Promise<void> {
    try {
      await this.compose('up', '--detach', '--wait', '--no-build', ...(await this.services()));
    } catch (error) {
      const failed = (await this.containers()).filter(
        ({ State, Health, ExitCode }) => ExitCode !== 0 || State === 'restarting' || Health === 'unhealthy',
      );
      const logs = await Promise.all(failed.map(({ Service }) => this.compose('logs', '--no-color', '--tail', '8', Service)));
      throw new Error(`${(error as Error).message}\n${logs.join('')}`, { cause: error });
    }
  }

  /** @param more `--volumes` deletes the data */
  async down(...more: string[]): Promise<void> {
    await this.compose('down', '--remove-orphans', ...more);
  }

  async services(): Promise<string[]> {
    const names = (await this.compose('config', '--services')).trim().split('\n');
    return names.filter((name) => !UNAVAILABLE.includes(name)).sort();
  }

  /** All containers of the project, those that have ended among them. */
  async containers(): Promise<Container[]> {
    const lines = (await this.compose('ps', '--all', '--format', 'json')).trim().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Container);
  }

  async docker(...args: string[]): Promise<string> {
    return (await run('/usr/bin/docker', args, { maxBuffer: MOST_OUTPUT, timeout: MINUTE })).stdout.trim();
  }

  /** Kills the first process of the service's container. Docker starts it again. */
  async crash(service: string): Promise<void> {
    const [id = ''] = (await this.compose('ps', '--quiet', service)).trim().split('\n');
    process.kill(Number(await this.docker('inspect', '--format', '{{.State.Pid}}', id)), 'SIGKILL');
  }

  /** As tests use any stack. Postgres and NATS are published nowhere: their addresses in Docker's network are used. */
  async stack(): Promise<RunningStack> {
    const {
      CLASSROOM_URL = '',
      S3_PUBLIC_URL = '',
      GATEWAY_PORT,
      POSTGRES_PASSWORD,
      OPERATOR_NATS_PASSWORD,
      DISPATCH_SECRET = '',
    } = this.settings;
    const { S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = this.settings;
    mkdirSync(join(this.folder, 'logs'), { recursive: true });
    return new RunningStack({
      home: this.folder,
      urls: {
        gateway: CLASSROOM_URL,
        operators: `http://localhost:${GATEWAY_PORT}`,
        livekit: 'http://localhost:7880',
        livekitPublic: 'ws://localhost:7880',
        s3: S3_PUBLIC_URL,
        postgresAdmin: `postgres://postgres:${POSTGRES_PASSWORD}@${await this.addressOf('postgres')}:5432/classroom`,
        nats: `nats://operator:${OPERATOR_NATS_PASSWORD}@${await this.addressOf('nats')}:4222`,
        redis: '',
      },
      secrets: { dispatchSecret: DISPATCH_SECRET, s3AccessKeyId: S3_ACCESS_KEY_ID, s3SecretAccessKey: S3_SECRET_ACCESS_KEY },
      ports: { base: 0, gateway: Number(GATEWAY_PORT), probes: {}, parts: {} },
    });
  }

  private async addressOf(service: string): Promise<string> {
    const id = (await this.compose('ps', '--quiet', service)).trim();
    const addresses = await this.docker('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}', id);
    return addresses.split(' ')[0] ?? '';
  }

  /** Writes what all services have logged to a file, if they have not been removed. */
  async keepLogs(file: string): Promise<void> {
    const text = await this.compose('logs', '--no-color');
    if (text) writeFileSync(file, text);
  }

  async remove(): Promise<void> {
    await this.down('--volumes');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
