import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { permissionViolations, undeclaredErrors } from './context.ts';

describe('the logs of a stack', () => {
  let home: string;
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'logs-'));
  });
  afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

  function write(logs: Record<string, string[]>): void {
    fs.mkdirSync(path.join(home, 'logs'), { recursive: true });
    for (const [name, lines] of Object.entries(logs)) fs.writeFileSync(path.join(home, 'logs', `${name}.log`), `${lines.join('\n')}\n`);
  }
  const refusal = (time: string, what: string, user: string, subject: string) =>
    `[7] 2026/01/02 ${time} [ERR] 127.0.0.1:4242 - cid:9 - "v3.4.0:nats.js:${user}" - "$G/user:${user}" - ${what} Violation - Subject "${subject}"`;

  test('contain no violation if there are none', () => {
    expect(permissionViolations(home)).toEqual([]);
    write({ media: ['{"msg":"listening"}'], nats: ['[7] [INF] Server is ready'] });
    expect(permissionViolations(home)).toEqual([]);
  });

  test('show each refusal of NATS once, by user and subject, as the server logged it', () => {
    const first = refusal('03:04:05', 'Publish', 'media', 'rpc.room.room.describe.v1');
    const other = refusal('03:04:06', 'Publish', 'ai', 'rpc.room.room.describe.v1');
    const subscribed = refusal('03:04:06', 'Subscription', 'media', 'evt.>');
    write({
      media: ['{"msg":"Permissions Violation for Publish to \\"rpc.room.room.describe.v1\\""}'],
      nats: [first, other, subscribed, refusal('03:04:07', 'Publish', 'media', 'rpc.room.room.describe.v1')],
    });
    expect(permissionViolations(home)).toEqual([`nats: ${first} (2 times)`, `nats: ${other}`, `nats: ${subscribed}`]);
  });

  test('show refusals of Redis and of the storage, as the client logged them', () => {
    const redis = '{"err":{"message":"NOPERM No permissions to access a key"},"msg":"sweep failed"}';
    const storage = '{"err":{"name":"AccessDenied"},"msg":"object not read"}';
    write({ room: [redis], media: [storage] });
    expect(permissionViolations(home).sort()).toEqual([`media: ${storage}`, `room: ${redis}`]);
  });

  test('show errors that no contract declares', () => {
    write({ room: ['{"msg":"joined"}', '{"msg":"undeclared error"}'] });
    expect(undeclaredErrors(home)).toEqual(['{"msg":"undeclared error"}']);
  });
});
