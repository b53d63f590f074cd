import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, readTable, render, SETS } from './support/chart.js';
import { APPS, readConfig, secretFor, unknownTo, variablesOf } from './support/configuration.js';
import { ofKind, identityOf, type Variable, type Workload } from './support/manifests.js';

jest.setTimeout(300_000);

/** The environment of the container, with a value for each required secret. */
function environmentOf(variables: Variable[]): Record<string, string> {
  const given = variables.flatMap(({ name, value, valueFrom }) => {
    if (value !== undefined) return [[name, value]];
    return valueFrom?.secretKeyRef && !valueFrom.secretKeyRef.optional ? [[name, secretFor(name)]] : [];
  });
  return Object.fromEntries(given) as Record<string, string>;
}

describe.each(SETS)('the variables of every deployment with %s', (set) => {
  it('are complete and valid by its config.ts', async () => {
    for (const deployment of ofKind<Workload>(await render(set), 'Deployment')) {
      const { app, role } = identityOf(deployment);
      const config = readConfig(app, environmentOf(deployment.spec.template.spec.containers[0]?.env ?? []));
      const roles = (await readTable())[app]?.roles ?? {};
      expect([app, config['DEPLOYMENT'], config['ROLES'], config['CLOCK']]).toEqual([app, 'production', roles[role]?.split(','), 'system']);
    }
  });

  it('are known to its app, and are each set once', async () => {
    for (const deployment of ofKind<Workload>(await render(set), 'Deployment')) {
      const names = (deployment.spec.template.spec.containers[0]?.env ?? []).map(({ name }) => name);
      expect([identityOf(deployment), unknownTo(identityOf(deployment).app, names)]).toEqual([identityOf(deployment), []]);
      expect(names).toHaveLength(new Set(names).size);
    }
  });
});

describe('the keys of the storage', () => {
  const keysOf = async (settings: string[]) =>
    Object.fromEntries(
      ofKind<Workload>(await render('defaults', settings), 'Deployment').map((it) => [
        identityOf(it).app,
        (it.spec.template.spec.containers[0]?.env ?? [])
          .filter(({ name }) => /^(EGRESS_)?S3_(SECRET_)?ACCESS_KEY/.test(name))
          .map(({ valueFrom }) => valueFrom?.secretKeyRef?.key),
      ]),
    );

  it('are the same for all apps, or one for each and one for Egress', async () => {
    const shared = ['access-key-id', 'secret-access-key'];
    const one = [
      'security.sharedCredentials={storage}',
      'storage.accessKeyIdKey=access-key-id',
      'storage.secretAccessKeyKey=secret-access-key',
    ];
    expect(await keysOf(one)).toMatchObject({ gateway: shared, recording: shared, recorder: shared, ai: shared, media: shared, room: [] });
    const own = (user: string) => [`${user}-access-key-id`, `${user}-secret-access-key`];
    const settings = ['recording.engine=egress', 'storage.accessKeyIdKey=', 'storage.secretAccessKeyKey='];
    expect(await keysOf(settings)).toMatchObject({
      gateway: own('gateway'),
      recording: [...own('recording'), ...own('egress')],
      ai: own('ai'),
      media: own('media'),
    });
  });

  it('are absent if the pods have a role', async () => {
    const keys = await keysOf(['storage.existingSecret=', 'security.sharedCredentials={storage}']);
    expect(Object.values(keys).flat()).toEqual([]);
  });
});

describe('the keys of the gateway’s statements', () => {
  const areOptional = async (settings: string[]) => {
    const variables = ofKind<Workload>(await render('defaults', settings), 'Deployment').flatMap(
      ({ spec }) => spec.template.spec.containers[0]?.env ?? [],
    );
    const keys = variables.filter(({ name }) => ['CALLER_PUBLIC_KEYS', 'CALLER_SIGNING_KEY'].includes(name));
    expect(new Set(keys.map(({ name }) => name)).size).toBe(2);
    return [...new Set(keys.map(({ valueFrom }) => valueFrom?.secretKeyRef?.optional ?? false))];
  };

  it('are required, unless unverified calls are accepted', async () => {
    expect(await areOptional([])).toEqual([false]);
    expect(await areOptional(['security.unverifiedCallers=true'])).toEqual([true]);
  });
});

describe('<app>.config', () => {
  it('accepts exactly the variables of config.ts that the chart does not set itself', async () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as {
      properties: Record<string, { properties: { config: { properties: object } } }>;
    };
    const set = [
      ...(await render('defaults')),
      ...(await render('defaults', [
        'urls.media=',
        'trustedProxies={10.0.0.0/8}',
        'ai.existingSecret=models',
        'billing.existingSecret=reports',
        'gateway.adminPort=8081',
      ])),
      ...(await render('defaults', ['recording.engine=egress', 'storage.accessKeyIdKey=', 'storage.secretAccessKeyKey='])),
    ];
    for (const app of APPS) {
      const optional = Object.keys(schema.properties[app]?.properties.config.properties ?? {});
      const bySettings = ofKind<Workload>(set, 'Deployment')
        .filter((it) => identityOf(it).app === app)
        .flatMap(({ spec }) => spec.template.spec.containers[0]?.env.map(({ name }) => name) ?? []);
      // SHUTDOWN_DELAY_SECONDS and CHROMIUM_SANDBOX are set as variables of these sets. CLOCK and CLOCK_FILE are only for tests and sandboxes, PATH is set by the image, and LANDING_LINKS is passed by `npm start`.
      const open = variablesOf(app).filter(
        (name) =>
          !['CLOCK', 'CLOCK_FILE', 'PATH', 'LANDING_LINKS'].includes(name) &&
          (!bySettings.includes(name) || ['SHUTDOWN_DELAY_SECONDS', 'CHROMIUM_SANDBOX'].includes(name)),
      );
      expect([app, optional.sort()]).toEqual([app, open.sort()]);
    }
  });
});
