import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { byForm } from '@classroom/testing';
import { render } from './support/chart.js';
import { ofKind } from './support/manifests.js';
import { declared, OWN_OF_PROMETHEUS, samples, seriesNames } from './support/metrics.js';
import { readYaml, REPO } from './support/programs.js';
import { metricsIn } from './support/promql.js';
import { promtool } from './support/promtool.js';
import { ALERTS, readRules, readRuleTests, TESTS, yamlIn, type Rule } from './support/rules.js';

jest.setTimeout(300_000);

const RUNBOOKS = join(REPO, 'docs', 'runbooks');
const RULE_TESTS = yamlIn(TESTS).map((file) => basename(file));
const HEADINGS = ['Symptoms', 'Impact', 'Diagnosis', 'Remediation', 'Prevention'];

let rules: Rule[];
let alerts: (Rule & { alert: string })[];
let names: string[];

beforeAll(async () => {
  rules = await readRules();
  alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
  names = [...new Set(alerts.map(({ alert }) => alert))].sort();
});

const known = () => new Set([...seriesNames(declared()), ...rules.flatMap(({ record }) => record ?? []), ...OWN_OF_PROMETHEUS]);

describe('deploy/helm/virtual-classroom/files/alerts', () => {
  it('are valid rules of Prometheus', async () => {
    const { code, stderr } = await promtool(['check', 'rules', ...yamlIn(ALERTS)]);
    expect([code, stderr]).toEqual([0, '']);
  });

  it.each(byForm({ short: RULE_TESTS.slice(0, 1), long: RULE_TESTS }))('fire and stay silent as expected: %s', async (file) => {
    const { code, stdout, stderr } = await promtool(['test', 'rules', join(TESTS, file)]);
    expect([code, stdout, stderr.trim()]).toEqual([0, expect.stringContaining('SUCCESS'), '']);
  });

  it('have a test each in which they fire, and one in which they do not fire', async () => {
    const tested = (await readRuleTests()).flatMap((test) => test.alert_rule_test);
    const fired = new Set(tested.filter(({ exp_alerts: it = [] }) => it.length > 0).map(({ alertname }) => alertname));
    const quiet = new Set(tested.filter(({ exp_alerts: it = [] }) => it.length === 0).map(({ alertname }) => alertname));
    expect([[...fired].sort(), [...quiet].sort()]).toEqual([names, names]);
  });

  it('have a severity, a description and a runbook', () => {
    for (const { alert, labels = {}, annotations = {} } of alerts) {
      expect([alert, labels]).toEqual([alert, { product: 'virtual-classroom', severity: expect.stringMatching(/^(critical|warning)$/) }]);
      expect([alert, annotations]).toEqual([alert, { summary: expect.stringMatching(/\S/), runbook: `docs/runbooks/${alert}.md` }]);
    }
  });

  it('use existing metrics', () => {
    const asked = rules.flatMap(({ expr }) => metricsIn(expr));
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !known().has(name))).toEqual([]);
  });

  it('select by labels that Compose and the chart set', async () => {
    const { documents } = await readYaml<any>(readFileSync(join(REPO, 'deploy', 'compose', 'prometheus.yaml'), 'utf8'));
    const [apps, recorder] = documents[0].scrape_configs;
    expect(apps.static_configs[0].labels).toEqual({ product: 'virtual-classroom' });
    expect(apps.relabel_configs).toEqual([expect.objectContaining({ source_labels: ['__address__'], target_label: 'service' })]);
    expect(recorder.static_configs[0].labels).toEqual({ product: 'virtual-classroom', service: 'recorder' });
    const monitors = ofKind<any>(await render('production'), 'ServiceMonitor');
    const given = monitors.map(({ spec }) =>
      Object.fromEntries(spec.endpoints[0].relabelings.map((it: any) => [it.targetLabel, it.replacement])),
    );
    expect(new Set(given.map(({ product }) => product))).toEqual(new Set(['virtual-classroom']));
    expect(new Set(given.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'organization', 'room', 'recording', 'billing', 'ai', 'media', 'recorder']),
    );
  });

  it('are in the chart, whole', async () => {
    const rules = ofKind<any>(await render('production'), 'PrometheusRule');
    const names = rules.flatMap(({ spec }) => spec.groups).flatMap(({ rules: of }: any) => of.flatMap(({ alert }: any) => alert ?? []));
    expect(names.sort()).toEqual((await readRules()).flatMap(({ alert }) => alert ?? []).sort());
  });

  it('are loaded by the compose file', () => {
    const compose = readFileSync(join(REPO, 'docker-compose.yml'), 'utf8');
    const prometheus = readFileSync(join(REPO, 'deploy', 'compose', 'prometheus.yaml'), 'utf8');
    expect(compose).toContain('./deploy/helm/virtual-classroom/files/alerts:/etc/prometheus/rules:ro');
    expect(prometheus).toContain('rule_files: ["/etc/prometheus/rules/*.y*ml"]');
  });
});

describe('docs/runbooks', () => {
  it('has a page for each alert and no other, all with the same headings', () => {
    expect(readdirSync(RUNBOOKS).sort()).toEqual([...names.map((name) => `${name}.md`), 'README.md'].sort());
    for (const name of names) {
      const text = readFileSync(join(RUNBOOKS, `${name}.md`), 'utf8');
      expect([name, text.split('\n')[0]]).toEqual([name, `# ${name}`]);
      expect([name, [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)]).toEqual([name, HEADINGS]);
      const parts = text.split(/^## .*$/m).slice(1);
      expect([name, parts.filter((part) => part.trim() === '')]).toEqual([name, []]);
    }
  });

  it('names existing metrics, tables, scripts and pages', () => {
    const tablesOf = (owner: string) => {
      const folder = join(REPO, owner, 'migrations');
      const sql = readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('\n');
      return [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
    };
    const tables = ['apps/ai', 'apps/billing', 'apps/media', 'apps/organization', 'apps/recording', 'apps/room'].flatMap((app) =>
      [...tablesOf(app), ...tablesOf('libs/messaging')].map((table) => `${basename(app)}.${table}`),
    );
    const { scripts } = JSON.parse(readFileSync(join(REPO, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const metrics = [...known()];
    for (const name of [...names, 'README']) {
      const text = readFileSync(join(RUNBOOKS, `${name}.md`), 'utf8');
      const mentioned =
        text.match(
          /\b(?:classroom|http_server|messaging_process|livekit_client|livekit_egress|rpc_client|rpc_server|s3_client|gen_ai)_\w+/g,
        ) ?? [];
      // A pattern of grep may be a prefix of a metric's name.
      expect([name, mentioned.filter((it) => !metrics.some((metric) => metric.startsWith(it)))]).toEqual([name, []]);
      const from = [...text.matchAll(/\b(?:FROM|JOIN) (\w+\.\w+)/g)].map(([, table]) => table ?? '');
      expect([name, from.filter((table) => !tables.includes(table))]).toEqual([name, []]);
      const run = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script ?? '');
      expect([name, run.filter((script) => scripts[script] === undefined)]).toEqual([name, []]);
      const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link ?? '');
      expect([name, links.filter((link) => !existsSync(join(RUNBOOKS, link)))]).toEqual([name, []]);
    }
  });
});

describe('test/deploy/metrics', () => {
  it('has the metrics that the code declares', () => {
    const names = new Set(samples().map(({ name }) => name));
    const series = seriesNames(declared());
    expect([...names].filter((name) => !series.includes(name) && !OWN_OF_PROMETHEUS.includes(name))).toEqual([]);
    expect([...declared()].filter(([name, kind]) => !names.has(kind === 'histogram' ? `${name}_count` : name))).toEqual([]);
  });
});
