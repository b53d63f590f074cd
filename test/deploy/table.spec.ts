import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@classroom/contracts';
import { readTable, render } from './support/chart.js';
import { APPS } from './support/configuration.js';
import { ofKind } from './support/manifests.js';
import { REPO } from './support/programs.js';

jest.setTimeout(300_000);

const { APPS: LAUNCHED } = require('../../tools/stack/apps') as { APPS: { name: string; schema: boolean }[] };

/** The whole source code of an app. */
function sourceOf(app: string): string {
  const folder = join(REPO, 'apps', app, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

describe("the chart's table of apps", () => {
  it('has every app that the launcher starts, with its schema if there is one', async () => {
    const table = await readTable();
    expect(
      Object.entries(table)
        .map(([name, { schema = false }]) => ({ name, schema }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    ).toEqual(LAUNCHED.map(({ name, schema }) => ({ name, schema })).sort((a, b) => a.name.localeCompare(b.name)));
    expect(APPS.sort()).toEqual(Object.keys(table).sort());
  });

  it('assigns every role of an app to a workload', async () => {
    for (const [app, { roles }] of Object.entries(await readTable())) {
      expect([app, new Set(Object.values(roles).join(',').split(','))]).toEqual([app, new Set(['service', 'worker'])]);
    }
  });

  it('gives every app with jobs or loops a worker', async () => {
    for (const [app, { roles }] of Object.entries(await readTable())) {
      const hasJobs = /new Loop\(|\.declare(Queued)?\(/.test(sourceOf(app));
      expect([app, hasJobs && !('worker' in roles)]).toEqual([app, false]);
    }
  });

  it('has the consumers that libs/contracts declares, each with its owner', async () => {
    const declared = Object.values(contracts.CONSUMERS).map(({ stream, durable }) => `${durable.split('-')[0]} ${stream} ${durable}`);
    const known = Object.entries(await readTable()).flatMap(([app, { consumers = [] }]) =>
      consumers.map(({ stream, consumer }) => `${app} ${stream} ${consumer}`),
    );
    expect(known.sort()).toEqual(declared.sort());
  });

  it('names existing queues', async () => {
    const queues = new Set(Object.values<unknown>(contracts).flatMap((it) => (it as { queue?: string }).queue ?? []));
    const named = Object.values(await readTable()).flatMap(({ queue }) => queue ?? []);
    expect(named.filter((queue) => !queues.has(queue))).toEqual([]);
    expect(named).toContain(contracts.transcoding.queue);
  });
});

describe('scaling', () => {
  it('depends on every consumer, the transcoding queue, overdue rooms, and free recorders', async () => {
    const scaled = ofKind<any>(await render('production'), 'ScaledObject');
    const triggers = Object.fromEntries(
      scaled.map(({ metadata, spec }) => [
        metadata.name.replace('vc-virtual-classroom-', ''),
        spec.triggers.map((it: any) => it.metadata.consumer ?? it.metadata.query),
      ]),
    );
    expect(triggers).toEqual({
      'organization-worker': ['organization-facts', 'organization-audit'],
      'room-worker': [
        'room-presence',
        'room-credit-status',
        'room-recording',
        'room-budget',
        'max(classroom_reconcile_overdue_rooms{namespace="school"})',
      ],
      'recording-worker': ['recording-egress', 'recording-rooms'],
      'billing-worker': ['billing-fold', 'billing-ai-usage'],
      'ai-worker': ['ai-credit-status'],
      'media-worker': ['max(classroom_job_backlog{namespace="school",queue="transcoding"})'],
      'recorder-worker': ['sum(classroom_recorder_slots{namespace="school"}) - sum(classroom_recorder_free_slots{namespace="school"}) + 2'],
    });
    expect(scaled.find(({ metadata }) => metadata.name.endsWith('recorder-worker'))?.spec).toMatchObject({
      minReplicaCount: 4,
      maxReplicaCount: 200,
    });
  });

  it('uses metrics that recorders and room workers export', () => {
    for (const name of ['classroom_recorder_slots', 'classroom_recorder_free_slots']) expect(sourceOf('recorder')).toContain(`'${name}'`);
    expect(sourceOf('room')).toContain('classroom_reconcile_overdue_rooms');
  });
});
