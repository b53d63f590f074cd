import { readFileSync } from 'node:fs';
import { Bucket, eventually, newOrganization, newRoom, present, TestStack, unzip } from '@classroom/testing';

const MIB = 1024 * 1024;
const MESSAGES = 100_000;
/** Characters of each message, the most that the chat accepts; they compress to a half. */
const TEXT = 2_000;

/** Kills a process of its own stack. */
describe('an export of a large class', () => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'ai', 'recording', 'media', 'gateway'] });
  });

  afterAll(() => stack?.stop());

  it('needs the memory of its buffers, and leaves no parts of an upload after a kill', async () => {
    const { api } = await newOrganization(stack, { billing: { type: 'PREPAID', credits: 1, creditRate: 0.01, currency: 'EUR' } });
    const { roomId, sid } = await newRoom(api);
    await stack.rows(
      `INSERT INTO room.chat_messages (sid, version, id, uid, name, role, text, sent_at, is_private)
       SELECT $1, v, gen_random_uuid(), 'writer', 'Ada', 'STUDENT',
              left((SELECT string_agg(md5(random()::text || v || i), '') FROM generate_series(1, 63) i), ${TEXT}), now(), false
         FROM generate_series(1, $2::int) v`,
      [sid, MESSAGES],
    );
    const [bucket, organization] = [Bucket.of(stack), stack.app('organization')];
    await organization.stop();
    await organization.start({ FAILPOINTS: 'organization.export.after-page=delay:100' });
    const { exportId } = (await api.post('/v1/privacy/exports', { roomId })).body.data;
    await eventually(async () => expect((await bucket.uploads('exports/')).length).toBe(1));
    await organization.kill();
    expect(await bucket.uploads('exports/')).toHaveLength(1);
    await organization.start();
    const idle = memoryOf(organization.pid, 'VmRSS');
    const answer = async () => (await api.get(`/v1/privacy/exports/${exportId}`)).body.data;
    await eventually(async () => expect((await answer()).status).toBe('COMPLETED'), 240_000);
    // All of it, as text, JSON and compressed, would be 500 MiB.
    expect(memoryOf(organization.pid, 'VmHWM') - idle).toBeLessThan(200 * MIB);
    expect(await bucket.uploads('exports/')).toEqual([]);
    const { downloadUrl, bytes } = await answer();
    const file = Buffer.from(await (await fetch(present(downloadUrl))).arrayBuffer());
    expect([file.length, present(bytes) > (MESSAGES * TEXT) / 4]).toEqual([bytes, true]);
    const lines = (await unzip(file))['room/chat-messages.jsonl']?.trimEnd().split('\n') ?? [];
    expect(lines.map((line) => JSON.parse(line).version)).toEqual(Array.from({ length: MESSAGES }, (_, index) => index + 1));
  });
});

/** In bytes, as Linux counts it. */
function memoryOf(pid: number | undefined, kind: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] = new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
