import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, inLongForm, newOrganization, type RunningStack, sharedStack, WebhookReceiver } from '@classroom/testing';
import { VirtualClassroom } from '../../libs/sdk/src/index.js';
import { PythonPackage } from './sdk/python-package.js';
import { samplesIn } from './sdk/samples.js';

const README = readFileSync(join(__dirname, '..', '..', 'libs', 'sdk-python', 'README.md'), 'utf8');
const PROGRAM = join(__dirname, 'sdk', 'python_class.py');

interface Seen {
  made: string[];
  joined: string;
  listed: string[];
  code: string;
  seen: string[];
  hasText: boolean;
}

/** The Python client, installed from its wheel, against a running system. */
describe('the Python SDK', () => {
  let stack: RunningStack;
  let python: PythonPackage;
  let env: Record<string, string>;

  beforeAll(async () => {
    [stack, python] = await Promise.all([sharedStack(), PythonPackage.installed()]);
  });
  beforeEach(async () => {
    const { value: organizationId } = await newOrganization(stack);
    env = { CLASSROOM_URL: stack.urls.gateway, CLASSROOM_CREDENTIAL: organizationId };
  });
  afterAll(() => python?.remove());

  it('runs its quick start', async () => {
    const [, quickStart = ''] = /In `quick_start\.py`[\s\S]*?```python\n([\s\S]*?)```/.exec(README) ?? [];
    const [joins = '', listed = '', ...rest] = (await python.text(quickStart, env)).trim().split('\n');
    expect(joins).toMatch(/^The teacher joins at http.*\/r\/RM_\w+#token=/);
    expect(listed).toMatch(/^geometry-\d+ created$/);
    expect(rest).toEqual([]);
  });

  it('creates, lists and joins rooms, reads streams and verifies webhooks, in both kinds of code', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const client = new VirtualClassroom({ baseUrl: stack.urls.gateway, credential: env['CLASSROOM_CREDENTIAL'] ?? '' });
      const { endpointId, secret } = await client.webhookEndpoints.create({ url: receiver.url(), eventTypes: ['room.started'] });
      await client.webhookEndpoints.test(endpointId);
      await eventually(() => expect(receiver.received).toHaveLength(1));
      const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
      const printed = await python.program(PROGRAM, env, JSON.stringify({ body, headers, secret }));
      const { webhook, ...both } = JSON.parse(printed) as { webhook: object; sync: Seen; async: Seen };
      expect(webhook).toEqual({ type: 'ping', data: { endpointId } });
      for (const [kind, { made, joined, listed, code, seen, hasText }] of Object.entries(both)) {
        expect(made).toEqual([0, 1, 2].map((number) => `${kind}-${number}`));
        expect(joined).toMatch(/^http.*\/r\/RM_\w+#token=/);
        expect([...listed].sort()).toEqual(made);
        expect([...seen].sort()).toEqual(made);
        expect([code, hasText]).toEqual(['ROOM_ENDED', true]);
      }
    } finally {
      await receiver.stop();
    }
  });

  inLongForm(it)('has types for its whole interface', async () => {
    expect(await python.typesOf(PROGRAM)).toBe('Success: no issues found in 1 source file\n');
  });

  inLongForm(it)('has every method of the reference’s samples, with their types', async () => {
    const samples = samplesIn('Python');
    expect(samples.length).toBeGreaterThan(60);
    const functions = samples.map(
      (source, at) => `def sample_${at}(classroom: VirtualClassroom, admin: AdminClient) -> None:\n${source.replaceAll(/^/gm, '    ')}\n`,
    );
    const file = join(python.path, 'samples.py');
    writeFileSync(file, `from virtual_classroom import AdminClient, VirtualClassroom\n\n${functions.join('\n')}`);
    expect(await python.typesOf(file)).toBe('Success: no issues found in 1 source file\n');
  });
});
