import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from './support/chart.js';
import { ofKind } from './support/manifests.js';
import { declared, OWN_OF_PROMETHEUS, samples, seriesNames } from './support/metrics.js';
import { readYaml, REPO } from './support/programs.js';
import { labelsIn, metricsIn } from './support/promql.js';
import { promtool, withFiles } from './support/promtool.js';
import { ALERTS, readRules, yamlIn } from './support/rules.js';

jest.setTimeout(300_000);

interface Source {
  type: string;
  uid: string;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: Source;
  targets?: { refId: string; expr: string; legendFormat: string }[];
}

interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  tags: string[];
  templating: { list: { name: string; type: string; query: unknown; datasource?: Source }[] };
  panels: Panel[];
}

const FOLDER = join(REPO, 'deploy', 'helm', 'virtual-classroom', 'files', 'dashboards');
const FILES = readdirSync(FOLDER);
const dashboards = FILES.map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Dashboard);
const targets = dashboards.flatMap(({ uid, panels }) =>
  panels.flatMap(({ title, targets: of = [] }) => of.map(({ expr, legendFormat }) => ({ where: `${uid}: ${title}`, expr, legendFormat }))),
);

describe('deploy/helm/virtual-classroom/files/dashboards', () => {
  it('are files that Grafana provisions, each with its own uid', () => {
    expect(FILES.filter((file) => !file.endsWith('.json'))).toEqual([]);
    for (const key of ['uid', 'title'] as const) expect(new Set(dashboards.map((it) => it[key])).size).toBe(FILES.length);
    for (const { uid, schemaVersion, tags } of dashboards) {
      expect([uid, schemaVersion, tags]).toEqual([expect.stringMatching(/^vc-[a-z]+$/), 41, ['virtual-classroom']]);
    }
    expect(readFileSync(join(REPO, 'docker-compose.yml'), 'utf8')).toContain(
      './deploy/helm/virtual-classroom/files/dashboards:/var/lib/grafana/dashboards:ro',
    );
    expect(readFileSync(join(REPO, 'deploy', 'compose', 'grafana', 'dashboards', 'provider.yaml'), 'utf8')).toContain(
      'path: /var/lib/grafana/dashboards',
    );
  });

  it('are in the chart, for Grafana’s sidecar', async () => {
    const [map] = ofKind<any>(await render('production'), 'ConfigMap') as unknown as {
      metadata: { labels: object };
      data: Record<string, string>;
    }[];
    expect(map?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(Object.keys(map?.data ?? {}).sort()).toEqual(FILES.toSorted());
    expect(Object.values(map?.data ?? {}).map((text) => JSON.parse(text) as unknown)).toEqual(expect.arrayContaining(dashboards));
  });

  it('query the selected data source, never a fixed uid', async () => {
    const { documents } = await readYaml<any>(
      readFileSync(join(REPO, 'deploy', 'compose', 'grafana', 'datasources', 'datasources.yaml'), 'utf8'),
    );
    for (const { uid, templating, panels } of dashboards) {
      const [source, ...others] = templating.list;
      expect([uid, source]).toEqual([uid, expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' })]);
      expect(documents[0].datasources.map(({ uid: it }: Source) => it)).toContain((source as any).current.value);
      const asked = [...others, ...panels.filter(({ type }) => type !== 'row')].map(({ datasource }) => datasource);
      expect([uid, asked.filter((it) => it?.uid !== '${datasource}' || it.type !== 'prometheus')]).toEqual([uid, []]);
    }
  });

  it('use only variables that they define', () => {
    for (const { uid, templating, panels } of dashboards) {
      const defined = [...templating.list.map(({ name }) => name), '__rate_interval', '__range'];
      const used = [...JSON.stringify([templating, panels]).matchAll(/\$\{?([a-z_]\w*)/g)].map(([, name]) => name ?? '');
      expect([uid, used.filter((name) => !defined.includes(name) && name !== '__all')]).toEqual([uid, []]);
    }
  });

  it('have panels that do not overlap', () => {
    for (const { uid, panels } of dashboards) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_none, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
      );
      expect([uid, cells.length - new Set(cells).size]).toEqual([uid, 0]);
      expect([uid, panels.filter(({ gridPos: { x, w } }) => x + w > 24).map(({ title }) => title)]).toEqual([uid, []]);
    }
  });

  it('use existing metrics', async () => {
    const records = (await readRules()).flatMap(({ record }) => record ?? []);
    const known = new Set([...seriesNames(declared()), ...records, ...OWN_OF_PROMETHEUS]);
    const asked = targets.flatMap(({ where, expr }) => metricsIn(expr).map((name) => `${name} (${where})`));
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((it) => !known.has(it.split(' ')[0] ?? ''))).toEqual([]);
  });

  it('take the maximum of values that all processes of a service share', () => {
    const shared = [...declared()].filter(([name, kind]) => kind === 'gauge' && !/recorder|dependency/.test(name)).map(([name]) => name);
    const summed = new RegExp(`\\bsum(?: by \\([^)]*\\))? ?\\((?:${shared.join('|')})\\b`);
    expect(targets.filter(({ expr }) => summed.test(expr))).toEqual([]);
  });

  it('show the rate of counters, not their value', () => {
    const counted = [...declared()].filter(([, kind]) => kind !== 'gauge').map(([name]) => name);
    const bare = new RegExp(`(?<!\\b(?:rate|increase)\\()\\b(?:${counted.join('|')})(?:_bucket|_count|_sum)?\\{`);
    expect(targets.filter(({ expr }) => bare.test(expr))).toEqual([]);
  });

  it('name series by labels in their queries', () => {
    const wrong = targets.filter(({ expr, legendFormat }) => {
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
      const asked = /^(?:slo|ai|up)\b/.test(expr) ? named : labelsIn(expr);
      return named.some((label) => !asked.includes(label));
    });
    expect(wrong).toEqual([]);
  });

  it('show data in every panel for samples from /metrics', async () => {
    const panels = targets.map(({ expr }, index) => ({ alert: `P${index}`, expr: `vector(1) and on () ((${filled(expr)}) > -Inf)` }));
    const groups = [{ name: 'panels', rules: panels }];
    const order = ['slo', 'recordings', 'ai', 'panels'];
    const test = {
      rule_files: ['panels.yaml', ...yamlIn(ALERTS)],
      evaluation_interval: '5m',
      group_eval_order: order,
      tests: [
        {
          interval: '1m',
          input_series: series(),
          alert_rule_test: panels.map(({ alert }) => ({ eval_time: '1h', alertname: alert, exp_alerts: [{}] })),
        },
      ],
    };
    const { code, stdout, stderr } = await withFiles({ 'panels.yaml': { groups }, 'test.yaml': test }, (folder) =>
      promtool(['test', 'rules', join(folder, 'test.yaml')]),
    );
    const empty = [...`${stdout}${stderr}`.matchAll(/alertname: P(\d+)/g)].map(([, index]) => targets[Number(index)]);
    expect([empty, code, stderr]).toEqual([[], 0, expect.anything()]);
  });
});

const filled = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '30m').replaceAll('$namespace', '.*').replaceAll('$service', '.*');

/** One hour of series: each sampled gauge is constant, and each sampled counter grows by its value once a minute. */
function series() {
  const sampled = samples().map(({ name, labels, value, type }) => ({
    series: `${name}{${labels}}`,
    values: type === 'gauge' ? `${value}x60` : `0+${value}x60`,
  }));
  const services = [...new Set(samples().flatMap(({ labels }) => /service="(\w+)"/.exec(labels)?.[1] ?? []))];
  return [...sampled, ...services.map((service) => ({ series: `up{product="virtual-classroom", service="${service}"}`, values: '1x60' }))];
}
