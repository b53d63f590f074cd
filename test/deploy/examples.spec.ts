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
