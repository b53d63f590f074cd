import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, template } from './support/chart.js';
import { REPO } from './support/programs.js';

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
    const { code, stderr } = await template('without values', others);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`networkPolicy.callers.${name}.from is empty`);
  });

  it('need no name without network policies', async () => {
    const { code } = await template('without values', ['networkPolicy.enabled=false']);
    expect(code).toBe(0);
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
