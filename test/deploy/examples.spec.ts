import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml, REPO } from './support/programs.js';

jest.setTimeout(120_000);

const read = async (folder: string, name: string) => {
  const { documents, errors } = await readYaml<any>(readFileSync(join(REPO, 'deploy', folder, name), 'utf8'));
  expect([name, errors]).toEqual([name, []]);
  return documents;
};

describe('deploy/parts', () => {
  it('has the webhook events and the settings of LiveKit that the Compose file has', async () => {
    const [{ services }] = await read('.', '../docker-compose.yml');
    const text: string = services.livekit.environment.LIVEKIT_CONFIG;
    const [{ livekit }] = await read('parts', 'livekit.yaml');
    const [, events = ''] = /include_events: \[(.*)\]/.exec(text) ?? [];
    expect(livekit.webhook.filter_params.include_events).toEqual(events.split(', '));
    expect([livekit.room, livekit.api]).toEqual([{ auto_create: false }, { enable_psrpc_for_get_list_participants: true }]);
  });

  it('acknowledges messages of NATS after fsync, with the users of all apps', async () => {
    const [{ config, container }] = await read('parts', 'nats.yaml');
    expect(config.jetstream.merge).toEqual({ sync_interval: 'always' });
    expect(config.merge['$include']).toBe('users/users.conf');
    expect(container.patch[0].value.mountPath).toBe('/etc/nats-config/users');
  });

  it.each([
    ['jobs', 'redis', ['maxmemory-policy noeviction', 'appendonly yes']],
    ['cache', 'redis-cache', ['maxmemory-policy volatile-ttl', 'save ""']],
  ])('keeps the %s of Redis as the Compose file does, with its users', async (name, service, settings) => {
    const [{ services }] = await read('.', '../docker-compose.yml');
    const [{ auth, valkeyConfig }] = await read('parts', `valkey-${name}.yaml`);
    const [{ auth: users }] = await read('redis', `valkey-${name}.yaml`);
    for (const setting of settings) expect(valkeyConfig).toContain(`${setting}\n`);
    expect(services[service].command).toEqual(expect.arrayContaining([settings[0]?.split(' ')[1]]));
    expect(auth).toMatchObject({ enabled: true, usersExistingSecret: expect.any(String) });
    expect(Object.keys(auth.aclUsers)).toEqual(['default']);
    expect(users.aclUsers).not.toHaveProperty('default');
  });

  it('runs the object storage with the version that is tested, and keeps its files and users', async () => {
    const [{ services }] = await read('.', '../docker-compose.yml');
    const [{ image, iam, persistence }] = await read('parts', 's3.yaml');
    expect(services.s3.image).toBe(`versity/versitygw:${image.tag}`);
    expect([iam.enabled, persistence.size]).toEqual([true, '500Gi']);
  });

  it('has Postgres with backups, and a pooler that keeps prepared statements', async () => {
    const documents = await read('parts', 'postgres.yaml');
    expect(documents.map(({ kind }) => kind)).toEqual(['ObjectStore', 'Cluster', 'ScheduledBackup', 'Pooler']);
    expect(documents.at(-1).spec.pgbouncer).toMatchObject({ poolMode: 'transaction', parameters: { max_prepared_statements: '500' } });
  });
});

describe('deploy/gitops', () => {
  it.each(readdirSync(join(REPO, 'deploy', 'gitops')))('%s is valid YAML and names this chart', async (name) => {
    const documents = await read('gitops', name);
    expect(documents.length).toBeGreaterThan(0);
    if (name !== 'external-secret.yaml') expect(JSON.stringify(documents)).toContain('deploy/helm/virtual-classroom');
  });
});
