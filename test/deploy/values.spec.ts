import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, template, VALUE_SETS } from './support/chart.js';
import { helm, REPO } from './support/programs.js';

jest.setTimeout(300_000);

const { valuesTable } = require('../../tools/deploy/values-table') as { valuesTable(values: string): string };

describe('invalid values', () => {
  it.each([
    ['a misspelt setting', 'room.worker.replicas=2', "additional properties 'replicas'"],
    ['an unknown app', 'rooms.enabled=true', "additional properties 'rooms'"],
    ['a variable of another app', 'billing.config.RATE_LIMIT_PER_MINUTE=1', "additional properties 'RATE_LIMIT_PER_MINUTE'"],
    ['a number in words', 'gateway.service.replicaCount=two', '/gateway/service/replicaCount'],
    ['an unknown engine', 'recording.engine=obs', '/recording/engine'],
    ['an address without a scheme', 'urls.classroom=class.school.example', '/urls/classroom'],
    ['a page where a socket belongs', 'livekit.publicUrl=https://livekit.school.example', '/livekit/publicUrl'],
    ['an image without a version', 'image.tag=latest', '/image/tag'],
    ['an image of an app without a version', 'room.image.tag=latest', '/room/image/tag'],
    ['an app that does not exist', 'apps={rooms}', '/apps/0'],
    [
      'a pod that is killed while it drains',
      'room.service.terminationGracePeriodSeconds=10',
      '/room/service/terminationGracePeriodSeconds',
    ],
    ['a wait that leaves no time to drain', 'media.service.preStopSleepSeconds=30', 'media.service.terminationGracePeriodSeconds'],
    ['a secret that has no name', 'postgres.existingSecret=', '/postgres/existingSecret'],
    ['root', 'podSecurityContext.runAsUser=0', '/podSecurityContext/runAsUser'],
    ['memory in words', 'room.worker.resources.limits.memory=much', '/room/worker/resources/limits/memory'],
    ['two copies of a stream', 'nats.streamReplicas=2', '/nats/streamReplicas'],
    ['a port out of range', 'networkPolicy.peers.nats.ports[0].port=70000', '/networkPolicy/peers/nats/ports/0/port'],
    ['fewer pods at most than at least', 'room.service.autoscaling.minReplicas=7', 'minReplicas is greater than maxReplicas'],
    ['more connections than Postgres allows', 'postgres.maxConnections=50', 'may open'],
    ['callers without a value', 'networkPolicy.callers.ingress.from=null', '/networkPolicy/callers/ingress'],
  ])('are refused: %s', async (_what, setting, where) => {
    const { code, stderr } = await template('defaults', [setting]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(where);
  });
});

describe('autoscaling', () => {
  it.each([
    ['without a target', 'targetCPUUtilizationPercentage=0', 'room.service.autoscaling needs a target'],
    ['down to no pod without KEDA', 'minReplicas=0', 'room.service.autoscaling.minReplicas must be at least 1'],
  ])('is refused %s', async (_what, setting, where) => {
    const { code, stderr } = await template('defaults', ['room.service.autoscaling.enabled=true', `room.service.autoscaling.${setting}`]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(where);
  });
});

describe('callers', () => {
  const NAMES = ['ingress', 'livekit', 'metrics'];

  it.each(NAMES)('must be named: %s', async (name) => {
    const others = NAMES.filter((it) => it !== name).map((it) => `networkPolicy.callers.${it}.from[0].podSelector.matchLabels.app=${it}`);
    const { code, stderr } = await template('without values', [...others, 'recorder.config.CHROMIUM_SANDBOX=off']);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`networkPolicy.callers.${name}.from is empty`);
  });

  it('need no name without network policies', async () => {
    const { code } = await template('without values', ['networkPolicy.enabled=false', 'recorder.config.CHROMIUM_SANDBOX=off']);
    expect(code).toBe(0);
  });
});

const NODES = 'serviceAccount.perApp.gateway.x=y,serviceAccount.perApp.media.x=y';

describe('one user or key for all apps', () => {
  it.each([
    ['nats', ['nats.urlKey=url'], 'nats.existingSecret'],
    ['nats', ['nats.existingSecret='], 'nats.existingSecret'],
    ['redis', ['redis.jobsUrlKey=jobs-url'], '<app>-jobs-url'],
    ['storage', ['storage.accessKeyIdKey=id', 'storage.secretAccessKeyKey=key'], '<app>-access-key-id'],
    ['storage', ['storage.existingSecret='], 'a role of its own for ai, gateway, media, organization, recorder, recording'],
    ['storage', ['storage.existingSecret=', NODES], 'a role of its own for ai, organization, recorder, recording'],
  ])('is refused unless it is accepted: %s, %j', async (part, settings, instead) => {
    const refused = await template('defaults', settings);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(`share one user or key of ${part}`);
    expect(refused.stderr).toContain(instead);
    const others = ['nats', 'redis', 'storage'].filter((it) => it !== part);
    expect((await template('defaults', [...settings, `security.sharedCredentials={${others.join(',')}}`])).code).not.toBe(0);
    expect((await template('defaults', [...settings, `security.sharedCredentials={${part}}`])).code).toBe(0);
  });

  it('is named after an installation, as is everything else that is less safe than it could be', async () => {
    const notes = async (set: string, ...settings: string[]) => {
      const files = (VALUE_SETS[set] ?? []).flatMap((file) => ['--values', file]);
      const { code, stdout } = await helm([
        'install',
        '--dry-run=client',
        'vc',
        CHART,
        ...files,
        ...settings.flatMap((it) => ['--set', it]),
      ]);
      expect(code).toBe(0);
      return stdout.split('NOTES:')[1] ?? '';
    };
    const settings = [
      'security.sharedCredentials={redis}',
      'redis.jobsUrlKey=jobs-url',
      'security.unverifiedCallers=true',
      'postgres.sslMode=',
    ];
    const open = await notes('defaults', ...settings);
    for (const text of ['one user or key of redis', 'security.unverifiedCallers', 'postgres.sslMode', 'networkPolicy.peers.postgres.any'])
      expect(open).toContain(text);
    expect(open).not.toContain('key of nats');
    expect((await notes('production')).split('\n').filter((line) => line.startsWith('- '))).toEqual([
      expect.stringContaining('recorder.config.CHROMIUM_SANDBOX'),
    ]);
    expect(await notes('defaults', 'networkPolicy.enabled=false')).toContain('networkPolicy.enabled');
  });
});

describe('recorders without a sandbox of Chromium', () => {
  it('are refused unless they are accepted, or a profile allows the sandbox', async () => {
    const { code, stderr } = await template('without values', ['networkPolicy.enabled=false']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('recorder.config.CHROMIUM_SANDBOX');
    for (const setting of [
      'recorder.config.CHROMIUM_SANDBOX=auto',
      'recorder.seccompLocalhostProfile=chromium.json',
      'recording.engine=egress',
    ])
      expect([setting, (await template('without values', ['networkPolicy.enabled=false', setting])).code]).toEqual([setting, 0]);
  });
});

describe('peers', () => {
  it.each(['nats', 'postgres', 'redisJobs', 'redisCache', 'storage', 'livekit', 'livekitMedia'])('must be named: %s', async (name) => {
    const files = (VALUE_SETS['small'] ?? []).flatMap((file) => ['--values', file]);
    const unnamed = ['template', 'vc', CHART, ...files, '--set-json', `networkPolicy.peers.${name}.to=[]`];
    const { code, stderr } = await helm(unnamed);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`networkPolicy.peers.${name}.to is empty`);
    expect((await helm([...unnamed, '--set', `networkPolicy.peers.${name}.any=true`])).code).toBe(0);
  });

  it('need no name if no app connects to them', async () => {
    expect((await template('defaults', ['billing.existingSecret=reports', 'networkPolicy.peers.clickhouse.any=true'])).code).toBe(0);
    const { stderr } = await template('small', ['billing.existingSecret=reports']);
    expect(stderr).toContain('networkPolicy.peers.clickhouse.to is empty');
  });
});

describe("the chart's README", () => {
  it('lists every value as values.yaml has it (node tools/bootstrap.cjs tools/deploy/values-table.ts --write)', () => {
    const table = valuesTable(readFileSync(join(CHART, 'values.yaml'), 'utf8'));
    expect(readFileSync(join(CHART, 'README.md'), 'utf8')).toContain(table);
  });

  it('and the guides link only to existing files', () => {
    for (const [folder, file] of [
      [CHART, 'README.md'],
      [join(REPO, 'docs', 'guides'), 'kubernetes.md'],
      [join(REPO, 'docs', 'guides'), 'compose.md'],
    ] as const) {
      const links = [...readFileSync(join(folder, file), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link ?? '');
      expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
    }
  });
});
