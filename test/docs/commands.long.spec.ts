import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient, eventually, RtcParticipant, sleep } from '@classroom/testing';
import { CHART } from '../deploy/support/chart.js';
import { NOT_HERE } from './not-here.js';
import { ofClass, ofMachine } from './own.js';
import { blocksOf, fillIn, shellBlocks, where, type Block, type Own } from './support/blocks.js';
import { faultsOf } from './support/calls.js';
import { addressOfMachine, Installation } from './support/installation.js';
import { Shell, type Outcome } from './support/shell.js';

const { listPids } = require('../../tools/stack/pidfile') as { listPids(home: string): { name: string; pid: number }[] };

const MINUTE = 60_000;
jest.setTimeout(10 * MINUTE);

const ONE_MACHINE = 'docs/guides/one-machine.md';
const BACKUP = 'docs/guides/backup-and-restore.md';
const TROUBLESHOOTING = 'docs/guides/troubleshooting-by-trace.md';
const RUNBOOKS = 'docs/runbooks/README.md';
const SANDBOX = 'docs/guides/sandbox.md';
const WALKTHROUGH = 'docs/guides/walkthrough.md';
/** Their programs run until they are stopped: test/system/quickstarts.spec.ts follows these pages. */
const QUICKSTARTS = 'docs/guides/quickstarts/';
/** Requests whose rejection a page describes. */
const EXPECTED_REJECTION = /\/v1\/room\/nothing\/status$/;
/** Output on stderr that is no error. */
const HARMLESS_OUTPUT = /^(npm (notice|warn).*|\d+ robots are in .*|From .*|There is no dead letter 1; .*|)$/;

/** The fields of the class's answers that are read here. Each answer has some of them. */
interface ClassAnswer {
  data: { room: { sid: string }; livekitUrl?: string; livekitToken?: string };
}

/** Runs each block of each page in the order in which a reader would. */
describe('a reader who follows the pages from an empty folder', () => {
  let here: Installation;
  let own: Own;
  const followed = new Set<string>();
  const called = new Set<string>();

  beforeAll(async () => {
    here = await Installation.prepare();
    own = ofMachine({ ...here, ...here.ports, address: addressOfMachine() });
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await here?.interrupt();
    here?.remove();
  });

  const reader = (more: NodeJS.ProcessEnv = {}, cwd = here.clone) => new Shell(join(here.root, 'shell'), cwd, here.environment(more));
  const secrets = (home = join(here.clone, '.stack')) =>
    JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Record<string, string>;
  const databaseUrl = () => `postgres://postgres:${secrets()['postgresPassword']}@127.0.0.1:${here.ports.portBase}/classroom`;
  const asWritten = (block: Block): string => {
    followed.add(where(block));
    return fillIn(block, own, here.ports);
  };

  /** @returns the output @throws if a request is rejected, or a program or name is missing or unknown */
  async function follow(shell: Shell, commands: string, at: string): Promise<string> {
    const outcome = await shell.run(commands);
    expect([at, await faultsIn(outcome)]).toEqual([at, []]);
    return outcome.stdout;
  }

  async function faultsIn({ stderr, answers, calls }: Outcome): Promise<string[]> {
    const errors = stderr.split('\n').filter((line) => !HARMLESS_OUTPUT.test(line));
    const refused = answers
      .filter(({ status, url }) => (status < 200 || status > 299) && !EXPECTED_REJECTION.test(url))
      .map(({ status, url }) => `${status} ${url}`);
    const faults = await Promise.all(calls.map((call) => faultsOf(call, here.clone)));
    for (const { program, args } of calls) called.add(program === 'npm' ? `npm ${args[0] === 'run' ? args.join(' ') : args[0]}` : program);
    return [...errors, ...refused, ...faults.flat()];
  }

  it('has the whole stack running after the first block', async () => {
    const [install] = blocksOf(ONE_MACHINE);
    await here.start(asWritten(install as Block), here.root, reader({}, here.root).environment);
    const [sample] = blocksOf('README.md', '').filter(({ text }) => text.startsWith('Ready after'));
    for (const label of sample?.text.match(/^ {2}[A-Z]\w+( \w+)*/gm) ?? ['no sample']) expect(here.printed).toContain(label);
  });

  it('runs a first class, its bill, the tutor and a video', async () => {
    const [, names, klass, ...rest] = blocksOf('README.md');
    const [operator, billing, more, ...others] = blocksOf(WALKTHROUGH);
    expect([...rest, ...others]).toEqual([]);
    const shell = reader();
    const run = (block: Block | undefined, from = 0, to?: number) =>
      follow(shell, asWritten(block as Block).slice(from, to), where(block as Block));
    await run(names);

    const end = asWritten(klass as Block).indexOf('# 5.');
    const answers = (await run(klass, 0, end)).split(/(?<=\})(?=\{"success")/).map((text) => JSON.parse(text) as ClassAnswer);
    const { livekitUrl, livekitToken } = (answers.at(-1) as ClassAnswer).data;
    const bob = await RtcParticipant.connect(String(livekitUrl), String(livekitToken));
    const api = new ApiClient(here.gateway, {
      'VF-ORG-ID': String(secrets()['credential']),
      'X-Dispatch-Secret': String(secrets()['dispatchSecret']),
    });
    const { sid } = (answers[0] as ClassAnswer).data.room;
    await eventually(() => expect(spanOf(sid)).toBeDefined());
    await sleep(1_500);
    await run(klass, end);
    await bob.leave();
    own = { ...own, ...ofClass({ sid, webhookTrace: spanOf(sid) ?? '', loggedTrace: await traceOfFailure(api) }) };

    await run(operator);
    const ledger = `/v1/admin/organizations/${secrets()['credential']}/ledger` as const;
    await eventually(async () => expect((await api.get(ledger)).text).toContain('"kind":"CHARGE"'), 90_000);
    const bill = await run(billing);
    expect(bill).toContain('"isConsistent":true');
    expect(bill).toMatch(/bob.*STUDENT/);

    const last = asWritten(more as Block).lastIndexOf('curl');
    expect(await run(more, 0, last)).toContain('data: [DONE]');
    await eventually(async () => expect((await shell.run(STATUS)).stdout).toContain('"status":"completed"'), 2 * MINUTE);
    expect(await run(more, last)).toContain('"url"');
  });

  const STATUS = 'curl -s $GATEWAY/v1/cdn/videos/$ID/status -H "VF-ORG-ID: $CREDENTIAL"';

  /** The trace of the webhook for a participant who joined. */
  function spanOf(sid: string): string | undefined {
    const lines = readFileSync(join(here.clone, '.stack', 'traces', 'gateway.jsonl'), 'utf8').split('\n');
    const line = lines.find((it) => it.includes(sid) && it.includes('"participant_joined"'));
    return /"traceId":"(\w+)"/.exec(line ?? '')?.[1];
  }

  /** Repeats the page's own example: creating a room while LiveKit does not answer. */
  async function traceOfFailure(api: ApiClient): Promise<string> {
    const pid = listPids(join(here.clone, '.stack')).find(({ name }) => name === 'livekit')?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const refused = await api.post('/v1/room/create', {
        roomId: 'while-livekit-hangs',
        title: 'Algebra',
        participant: { uid: 'ada', name: 'Ada', role: 'TEACHER' },
      });
      expect(refused.status).toBe(503);
      return String(refused.headers.get('x-trace-id'));
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  it('follows one request and one webhook', async () => {
    const shell = reader();
    await shell.run(asWritten(blocksOf('README.md')[1] as Block));
    const [request = '', logs = '', webhook = ''] = await inTurn(shell, TROUBLESHOOTING);
    expect(request).toMatch(/gateway {2}GET \/v1\/room\/.*request\.id=my-question-1/);
    expect(logs).toContain(String(own['0ed0bac2a6a3455c86854a5d498a6cd3']));
    expect(webhook).toMatch(/process room-presence[\s\S]*process billing-fold/);
  });

  async function inTurn(shell: Shell, page: string): Promise<string[]> {
    const printed: string[] = [];
    for (const block of blocksOf(page)) printed.push(await follow(shell, asWritten(block), where(block)));
    return printed;
  }

  it('finds the cause of an alert on Kubernetes, with Compose, and locally', async () => {
    writeFileSync(join(here.clone, '.env'), `DISPATCH_SECRET=${secrets()['dispatchSecret']}\nOPERATOR_NATS_PASSWORD=any\n`);
    const pages = [...new Set(shellBlocks.map(({ page }) => page))].filter(
      (page) => page.startsWith('docs/runbooks/') && page !== RUNBOOKS,
    );
    const seen: Record<string, string[]> = {};
    for (const functions of blocksOf(RUNBOOKS)) {
      for (const page of pages) {
        const shell = reader({ DATABASE_ADMIN_URL: databaseUrl() });
        await follow(shell, asWritten(functions), where(functions));
        (seen[where(functions)] ??= []).push(...(await inTurn(shell, page)));
      }
    }
    // The last variant of the functions queries the running stack.
    const printed = Object.values(seen).map((it) => it.join(''));
    expect(printed).toHaveLength(3);
    expect(printed.at(-1)).toMatch(/classroom_dependency_up\{[^}]*\} 1/);
  });

  it('can follow every other page', async () => {
    copyFileSync(join(CHART, 'examples', 'production.yaml'), join(here.clone, 'my-values.yaml'));
    const special = ['README.md', WALKTHROUGH, ONE_MACHINE, BACKUP, TROUBLESHOOTING, SANDBOX];
    const pages = [...new Set(shellBlocks.map(({ page }) => page))].filter(
      (page) => !page.startsWith('docs/runbooks/') && !page.startsWith(QUICKSTARTS) && !special.includes(page),
    );
    const names = { GATEWAY: here.gateway, CREDENTIAL: String(secrets()['credential']) };
    for (const page of pages) await inTurn(reader(names), page);
  });

  it('stops, backs up, loses, restores and restarts the stack', async () => {
    const { credential } = secrets();
    const [bucket, files, dump] = blocksOf(BACKUP);
    await follow(reader(), asWritten(bucket as Block), where(bucket as Block));
    await follow(reader({ DATABASE_ADMIN_URL: databaseUrl() }), asWritten(dump as Block), where(dump as Block));
    await here.interrupt();
    expect(here.printed).toContain('Stopped.');
    await follow(reader(), asWritten(files as Block), where(files as Block));
    const [archive] = readdirSync(here.clone).filter((name) => name.startsWith('classroom-'));
    await follow(reader(), `npm run reset; tar -xzf ${archive}`, 'restoring');
    const [again] = blocksOf('README.md');
    const shell = reader();
    await here.start(asWritten(again as Block), here.clone, shell.environment);
    const api = new ApiClient(here.gateway, { 'VF-ORG-ID': String(credential) });
    expect((await api.get('/v1/billing/balance')).body).toMatchObject({ success: true });
    expect(here.printed).toContain(credential);
    await here.interrupt();
  });

  it('starts a sandbox', async () => {
    const [sandbox, ...more] = blocksOf(SANDBOX);
    expect(more).toEqual([]);
    await here.start(asWritten(sandbox as Block), here.clone, reader().environment);
    expect(here.printed).toMatch(/^ {2}Sandbox +http:/m);
    await here.interrupt();
    await follow(reader(), 'npm run reset -- --sandbox', 'npm run reset -- --sandbox');
  });

  it('makes it public with the settings, the unit and the first organization of the guide', async () => {
    const settings = Object.fromEntries(
      fillIn(blocksOf(ONE_MACHINE, 'ini')[0] as Block, own, here.ports)
        .split('\n')
        .filter((line) => /^\w+=/.test(line))
        .map((line) => line.split(/=(.*)/s)),
    );
    const unit = fillIn(blocksOf(ONE_MACHINE, 'ini')[1] as Block, own, here.ports);
    const [, command = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(unit) ?? [];
    const [, folder = ''] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? [];
    mkdirSync(here.data);
    await here.start(`exec '${process.execPath}' ${command}`, folder, reader(settings).environment);
    expect(here.printed).not.toContain('demo');

    const [, enable, organization] = blocksOf(ONE_MACHINE);
    await follow(reader(settings), asWritten(enable as Block), where(enable as Block));
    const made = JSON.parse(await follow(reader(settings), asWritten(organization as Block), where(organization as Block))) as {
      data: { organizationId: string };
    };
    const api = new ApiClient(String(settings['PUBLIC_URL']), { 'VF-ORG-ID': made.data.organizationId });
    await expectAClass(api, settings as Record<string, string>);
  });

  async function expectAClass(api: ApiClient, settings: Record<string, string>): Promise<void> {
    const ada = { uid: 'ada', name: 'Ada', role: 'TEACHER' };
    const room = (await api.post('/v1/room/create', { roomId: 'algebra', title: 'Algebra', participant: ada })).body.data;
    expect(room.iframeUrl).toMatch(new RegExp(`^${settings['PUBLIC_URL']}/r/RM_`));
    const policy = (await api.get(new URL(room.iframeUrl as string).pathname)).headers.get('content-security-policy');
    expect(policy).toContain(new URL(String(settings['LIVEKIT_PUBLIC_URL'])).host);
    const page = { origin: String(settings['PUBLIC_URL']) };
    const opened = await api
      .bearer(room.token as string)
      .with(page)
      .post('/v1/classroom/session');
    expect([opened.status, opened.headers.get('access-control-allow-origin')]).toEqual([200, page.origin]);
    expect(opened.body.data.livekitUrl).toBe(settings['LIVEKIT_PUBLIC_URL']);
    const teacher = await RtcParticipant.connect(opened.body.data.livekitUrl as string, opened.body.data.livekitToken as string);
    await eventually(
      async () => expect((await api.get('/v1/room/algebra/status')).body.data).toMatchObject({ isActive: true, participantCount: 1 }),
      30_000,
    );
    await teacher.leave();
  }

  it('upgrades by stopping, backing up and pulling', async () => {
    await here.interrupt();
    const upgrade = blocksOf(ONE_MACHINE)[3] as Block;
    await follow(reader(), asWritten(upgrade), where(upgrade));
    expect(readdirSync(here.root).filter((name) => /^classroom-\d{4}-\d\d-\d\d\.tar\.gz$/.test(name))).toHaveLength(1);
    await follow(reader({ STACK_HOME: here.data }), 'npm run reset', 'npm run reset');
    await follow(reader(), 'npm run reset', 'npm run reset');
    expect(existsSync(join(here.data, 'secrets.json'))).toBe(false);
  });

  it('has run every block of every page', () => {
    const never = shellBlocks.filter((block) => !block.page.startsWith(QUICKSTARTS) && !followed.has(where(block)));
    const problems = never.map(
      (block) =>
        `${where(block)} is run by no test: let test/docs/commands.long.spec.ts follow it, or name its program in test/docs/not-here.ts`,
    );
    expect(problems).toEqual([]);
  });

  it('has replaced only programs that a page calls', () => {
    // `npm test` is called after Ctrl-C, in the shell of a start.
    expect(Object.keys(NOT_HERE).filter((name) => !called.has(name) && name !== 'npm test')).toEqual([]);
  });
});
