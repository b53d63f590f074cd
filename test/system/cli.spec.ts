import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  inLongForm,
  ApiClient,
  enterWithToken,
  eventually,
  makeSource,
  newOrganization,
  type NewOrganization,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  unzip,
  WebhookReceiver,
} from '@classroom/testing';
import { verifyWebhook } from '../../libs/sdk/src/index.js';
import { Terminal } from './cli/terminal.js';

/** The installed command line tool against a running system. */
describe('vc', () => {
  let stack: RunningStack;
  let terminal: Terminal;
  let school: NewOrganization;
  let operator: Record<string, string>;

  beforeAll(async () => {
    stack = await sharedStack();
    terminal = await Terminal.open();
    school = await newOrganization(stack);
    operator = { VC_URL: stack.urls.gateway, VC_DISPATCH_SECRET: stack.secrets['dispatchSecret'] ?? '' };
    const login = await terminal.vc(['login', '--url', stack.urls.gateway], { input: `${school.value}\n` });
    expect(login).toMatchObject({ code: 0, err: '' });
    expect(login.out).not.toContain(school.value);
  });
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await terminal?.close();
  });

  const createRoom = async (title: string): Promise<string> =>
    (await terminal.json(['rooms', 'create', '--title', title])).room.roomId as string;

  it('stores a credential that it has checked, for its owner only', async () => {
    expect(statSync(join(terminal.path, 'config', 'virtual-classroom', 'config.json')).mode & 0o777).toBe(0o600);
    const wrong = await terminal.vc(['login', '--url', stack.urls.gateway, '--profile', 'wrong'], { input: 'vfo_wrong' });
    expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/The service refused the credential .*HTTP 401/) });
    expect((await terminal.json(['config', 'list'])).map(({ profile }: { profile: string }) => profile)).toEqual(['default']);
  });

  it('holds a class: creates a room, prints links that admit, shows it and ends it', async () => {
    const created = await terminal.vc(['rooms', 'create', 'algebra-1', '--title', 'Algebra', '--name', 'Ada Lovelace']);
    expect(created.out).toMatch(/^Room +algebra-1\nSid +RM_\w+\nLink +http\S+#token=\S+\nValid until +\S+Z\n$/);
    const joined = await terminal.vc(['join', 'algebra-1', '--name', 'Bob', '--role', 'student']);
    const [, token = ''] = /#token=(\S+)\n$/.exec(joined.out) ?? [];
    const session = await new ApiClient(stack.urls.gateway).bearer(token).post('/v1/classroom/session');
    expect(session.body).toMatchObject({ data: { participant: { uid: 'bob', name: 'Bob', role: 'STUDENT' } } });
    expect((await terminal.vc(['rooms', 'list'])).out).toMatch(/^ROOM +TITLE +STATUS .*\nalgebra-1 +Algebra +created /);
    expect(await terminal.json(['rooms', 'change', 'algebra-1', '--max-participants', '30'])).toMatchObject({ maxParticipants: 30 });
    expect(await terminal.json(['rooms', 'end', 'algebra-1'])).toMatchObject({ roomId: 'algebra-1' });
    expect(await terminal.json(['rooms', 'get', 'algebra-1'])).toMatchObject({ status: 'finished' });
    expect(await terminal.vc(['join', 'algebra-1', '--name', 'Bob'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^Error: .*\(ROOM_ENDED, HTTP 410, request \S+\)\n.*\n$/),
    });
  });

  it('follows events, and continues after the last one', async () => {
    const tail = terminal.start(['events', 'tail', '--types', 'room.created', '--json']);
    await tail.says('Waiting for events after');
    const rooms = [await createRoom('Tailed'), await createRoom('Tailed too')];
    await eventually(() => expect(tail.lines.map(({ data }) => data.roomId)).toEqual(rooms));
    const { code, err } = await tail.interrupt();
    expect(code).toBe(0);
    const [, again = ''] = /Continue after the last event with: vc (.*)\n/.exec(err) ?? [];
    const missed = await createRoom('Created meanwhile');
    const resumed = await terminal.vc([...again.split(' '), '--count', '1', '--json']);
    expect(JSON.parse(resumed.out)).toMatchObject({ type: 'room.created', data: { roomId: missed } });
    expect((await terminal.json(['events', 'list', '--types', 'room.created', '--all'])).at(-1)).toEqual(JSON.parse(resumed.out));
  });

  inLongForm(it)('has robots with a picture and a voice take part in a class until Ctrl-C', async () => {
    const roomId = await createRoom('With robots');
    const without = await terminal.vc(['robots', roomId]);
    expect(without).toMatchObject({ code: 1, out: '', err: expect.stringContaining('npm install --global @livekit/rtc-node') });
    terminal.addPeers('@livekit/rtc-node');
    const silent = await terminal.vc(['robots', roomId, '--speak']);
    expect(silent).toMatchObject({ code: 1, err: expect.stringMatching(/A STUDENT of this class may not speak\nUse --role moderator/) });
    const robots = terminal.start(['robots', roomId, '--count', '2', '--role', 'moderator', '--speak', '--raise-hands']);
    await robots.says(`2 robots are in ${roomId}`);
    const { token } = (await school.api.post(`/v1/room/${roomId}/join`, { participant: person('ada', 'TEACHER') })).body.data;
    const { rtc, inClass } = await enterWithToken(stack, school.api, token);
    expect((await inClass.get('/v1/classroom/state')).body.data.hands).toHaveLength(2);
    await eventually(() => expect(Math.min(rtc.received.video, rtc.received.audio)).toBeGreaterThan(10));
    const { code, out } = await robots.interrupt();
    expect([code, out]).toEqual([0, expect.stringMatching(/^Room +\S+\nRobots +2\nJoined +\S+Z\nLeft +\S+Z\n$/)]);
    await eventually(async () => expect((await terminal.json(['rooms', 'get', roomId])).participantCount).toBe(1));
    await rtc.leave();
  });

  it('forwards events as the webhooks that the service sends, signed with the secret that it prints', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const { endpointId, secret } = await terminal.json(['webhooks', 'create', receiver.url('/sent'), '--types', 'room.created']);
      const listen = terminal.start([
        'webhooks',
        'listen',
        '--forward-to',
        receiver.url('/forwarded'),
        '--types',
        'room.created',
        '--json',
      ]);
      await eventually(() => expect(listen.lines).toHaveLength(1));
      const signing = listen.lines[0]?.['secret'] as string;
      receiver.answer = ({ event }) => ({ status: event.data['title'] === 'Refused' ? 500 : 204 });
      await createRoom('Zoë’s class');
      await eventually(() => expect([receiver.on('/sent'), receiver.on('/forwarded')].map(({ length }) => length)).toEqual([1, 1]));
      const [sent, forwarded] = [receiver.on('/sent')[0], receiver.on('/forwarded')[0]];
      expect(verifyWebhook(forwarded?.body ?? '', forwarded?.headers ?? {}, signing)).toEqual(
        verifyWebhook(sent?.body ?? '', sent?.headers ?? {}, secret),
      );
      const differ = { 'webhook-signature': expect.any(String), 'webhook-timestamp': expect.any(String) };
      expect([forwarded?.body, forwarded?.headers]).toEqual([sent?.body, { ...sent?.headers, ...differ }]);
      await createRoom('Refused');
      await eventually(() => expect(listen.lines.slice(1).map(({ status }) => status)).toEqual([204, 500]));
      expect((await listen.interrupt()).code).toBe(0);

      const [delivery] = await eventually(async () => {
        const delivered = await terminal.json(['webhooks', 'deliveries', endpointId, '--status', 'delivered']);
        expect(delivered).toHaveLength(1);
        return delivered;
      });
      await terminal.json(['replay', endpointId, '--delivery', delivery.deliveryId]);
      const eventIds = () => receiver.on('/sent').map(({ event }) => event.id);
      await eventually(() => expect(eventIds().filter((id) => id === delivery.eventId)).toHaveLength(2));
    } finally {
      await receiver.stop();
    }
  });

  inLongForm(it)('keeps forwarding while no server answers', async () => {
    const receiver = await WebhookReceiver.start();
    const { port } = receiver;
    await receiver.stop();
    const listen = terminal.start(['webhooks', 'listen', '--forward-to', `127.0.0.1:${port}/hooks`]);
    await listen.says('Signing secret of this run: whsec_');
    await createRoom('Lost');
    await listen.says('is your server running?');
    const [, secret = ''] = /run: (whsec_\S+)/.exec(listen.err) ?? [];
    const later = await WebhookReceiver.start(port);
    try {
      await createRoom('Received');
      await eventually(() => expect(later.on('/hooks').map(({ event }) => event.data['title'])).toEqual(['Received']));
      expect(verifyWebhook(later.received[0]?.body ?? '', later.received[0]?.headers ?? {}, secret).type).toBe('room.created');
      await eventually(() =>
        expect(listen.out).toMatch(/room\.created +failed: connect ECONNREFUSED.*\n.*room\.created +200 \(\d+ ms\)\n$/),
      );
      expect((await listen.interrupt()).code).toBe(0);
    } finally {
      await later.stop();
    }
  });

  it('creates an organization as an operator, tops it up, and keeps its credential out of sight', async () => {
    const created = await terminal.json(
      ['organizations', 'create', '--name', 'Lakeside', '--prepaid', '100', '--save', 'lakeside'],
      operator,
    );
    const topUp = ['organizations', 'top-up', created.id, '--amount', '50', '--reference', 'invoice-1'];
    expect((await terminal.json(topUp, operator)).replayed).toBe(false);
    const again = await terminal.vc(topUp, { env: operator });
    expect([again.out, again.err]).toEqual([
      expect.stringMatching(/Remaining credits +150\n/),
      expect.stringContaining('nothing was changed'),
    ]);
    expect(await terminal.json(['balance', '--profile', 'lakeside'])).toMatchObject({ type: 'PREPAID', remainingCredits: 150 });
    expect((await terminal.vc(['ledger', '--profile', 'lakeside', '--kind', 'top_up'])).out).toMatch(/TOP_UP +50 .*invoice-1/);
    expect((await terminal.json(['organizations', 'get', created.id], operator)).name).toBe('Lakeside');
    const stored = await terminal.json(['organizations', 'list', '--limit', '1'], operator);
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(created)).not.toContain('vfo_');
    expect((await terminal.json(['usage'])).summary.totalSessions).toBe(0);
  });

  it('keeps presets: of options, of a file, and of another preset', async () => {
    const saved = await terminal.json([
      'presets',
      'save',
      'seminar',
      '--max-participants',
      '12',
      '--waiting-room',
      'students',
      '--no-lobby',
    ]);
    expect(saved).toMatchObject({ customization: { showLobby: false }, settings: { maxParticipants: 12, waitingRoom: 'STUDENTS' } });
    const copied = await terminal.vc(['presets', 'save', 'seminar-7b', '--file', '-', '--max-participants', '30', '--json'], {
      input: JSON.stringify(saved),
    });
    expect(JSON.parse(copied.out)).toMatchObject({ settings: { maxParticipants: 30, waitingRoom: 'STUDENTS' } });
    expect((await terminal.vc(['presets', 'list'])).out).toMatch(/^PRESET .*\nseminar +12 .*\nseminar-7b +30 +- +STUDENTS /);
    const { room } = await terminal.json(['rooms', 'create', '--preset', 'seminar-7b']);
    expect(await terminal.json(['rooms', 'get', room.roomId])).toMatchObject({
      settings: { maxParticipants: 30, waitingRoom: 'STUDENTS' },
    });
    expect(await terminal.json(['presets', 'delete', 'seminar'])).toEqual({ name: 'seminar' });
    expect(await terminal.vc(['presets', 'show', 'seminar'])).toMatchObject({ code: 1, err: expect.stringContaining('HTTP 404') });
  });

  inLongForm(it)('uploads a film, says how far it is, and prints an address that plays', async () => {
    const { path } = await makeSource(terminal.path, 'sound-mp3', 2);
    const uploaded = await terminal.vc(['videos', 'upload', path, '--title', 'A tone', '--json']);
    expect(uploaded).toMatchObject({ code: 0, err: expect.stringMatching(/^vid_\w+ is created\.\nSent 100 %\n/) });
    const { videoId, status, url } = JSON.parse(uploaded.out) as Record<string, string>;
    expect([status, (await fetch(url ?? '')).status]).toEqual(['completed', 200]);
    expect(await terminal.json(['videos', 'list'])).toMatchObject([{ videoId, title: 'A tone', size: statSync(path).size, duration: 2 }]);
    expect(await terminal.json(['videos', 'delete', videoId ?? ''])).toMatchObject({ videoId });
    expect(await terminal.vc(['videos', 'show', videoId ?? ''])).toMatchObject({
      code: 1,
      err: expect.stringContaining('VIDEO_NOT_FOUND'),
    });
  });

  it('creates an API key for a profile, rotates and revokes it, and shows in the audit log who did', async () => {
    const created = await terminal.vc(['api-keys', 'create', '--name', 'Reports', '--scopes', 'rooms:read', '--save', 'reports', '--json']);
    expect(created.out).not.toMatch(/vc_live_[0-9a-f]+_/);
    const { keyId } = JSON.parse(created.out) as { keyId: string };
    expect(await terminal.vc(['rooms', 'list', '--profile', 'reports'])).toMatchObject({ code: 0 });
    const { secret } = await terminal.json(['api-keys', 'rotate', keyId, '--now']);
    const withKey = { VC_URL: stack.urls.gateway, VC_API_KEY: secret as string };
    expect(await terminal.vc(['rooms', 'list'], { env: withKey })).toMatchObject({ code: 0 });
    await eventually(async () => expect((await terminal.vc(['rooms', 'list', '--profile', 'reports'])).err).toContain('UNAUTHORIZED'));
    expect(await terminal.vc(['api-keys', 'list'], { env: withKey })).toMatchObject({ code: 1, err: expect.stringContaining('HTTP 403') });
    expect((await terminal.vc(['api-keys', 'list'])).out).toMatch(
      new RegExp(`^KEY .*\\n${keyId} +Reports +vc_live_\\S+ .* never +rooms:read\\n$`),
    );
    expect(await terminal.json(['api-keys', 'revoke', keyId])).toMatchObject({ keyId });
    expect(await terminal.json(['api-keys', 'list'])).toEqual([]);
    await eventually(async () => {
      const entries = await terminal.json(['audit', '--since', '1h']);
      const calls = entries.map(({ operation, target }: { operation: string; target: object }) => [operation, Object.values(target)]);
      expect(calls).toEqual(
        expect.arrayContaining([
          ['revokeApiKey', [keyId]],
          ['rotateApiKey', [keyId]],
        ]),
      );
    });
    const filtered = await terminal.vc(['audit', '--operation', 'createApiKey']);
    expect(filtered.out).toMatch(new RegExp(`^TIME .*\\n\\S+Z +credential cred_\\w+ +createApiKey +${keyId} +200 .*\\n$`));
  });

  it('saves the board of a class as a file, also after the class', async () => {
    const roomId = await createRoom('With a board');
    const { token } = (await school.api.post(`/v1/room/${roomId}/join`, { participant: person('sofia', 'TEACHER') })).body.data;
    const { rtc, inClass } = await enterWithToken(stack, school.api, token);
    const { pageId } = (await inClass.post('/v1/classroom/board/pages', {})).body.data;
    const drawn = { id: 'a', type: 'rectangle', version: 1, versionNonce: 7, x: 10, y: 10, width: 80, height: 40 };
    expect((await inClass.post('/v1/classroom/board', { pageId, elements: [drawn] })).status).toBe(200);
    await rtc.leave();
    await terminal.json(['rooms', 'end', roomId]);
    const bytesOf = (format: string) => readFileSync(join(terminal.path, 'boards', `${roomId}-board.${format}`));
    const saved = await terminal.vc(['board', roomId, '--out', 'boards']);
    expect([saved.out, saved.err]).toEqual([`Room   ${roomId}\nFile   boards/${roomId}-board.pdf\nBytes  ${bytesOf('pdf').length}\n`, '']);
    expect(bytesOf('pdf').subarray(0, 5).toString()).toBe('%PDF-');
    expect(await terminal.vc(['board', roomId, '--out', 'boards'])).toMatchObject({ code: 1, err: expect.stringContaining('--force') });
    await terminal.json(['board', roomId, '--format', 'png', '--page', pageId, '--out', 'boards']);
    expect(bytesOf('png').subarray(1, 4).toString()).toBe('PNG');
    await terminal.json(['board', roomId, '--format', 'json', '--out', 'boards']);
    expect(JSON.parse(bytesOf('json').toString())).toMatchObject({ pages: [{ pageId, elements: [{ uid: 'sofia', element: drawn }] }] });
    expect((await terminal.vc(['board', 'unknown'])).err).toContain('ROOM_NOT_FOUND');
  });

  inLongForm(it)('moderates the chat of a class, exports what is stored of a student, and erases it', async () => {
    const roomId = await createRoom('With a chat');
    const { token } = (await school.api.post(`/v1/room/${roomId}/join`, { participant: person('pupil-1', 'STUDENT') })).body.data;
    const { rtc, inClass } = await enterWithToken(stack, school.api, token);
    for (const text of ['Kept', 'Regretted']) expect((await inClass.post('/v1/classroom/chat', { text })).status).toBe(200);
    await rtc.leave();
    await terminal.json(['rooms', 'end', roomId]);
    const [, regretted] = await terminal.json(['chat', 'list', roomId]);
    expect(await terminal.json(['chat', 'delete', roomId, regretted.id])).toMatchObject({ text: '' });
    expect((await terminal.vc(['chat', 'list', roomId])).out).toMatch(
      /^SENT .*\n.* everyone +0 +\S+ +Kept\n.*\(deleted by the backend\)\n$/,
    );

    const exported = await terminal.vc(['privacy', 'export', '--uid', 'pupil-1', '--out', 'exports', '--json']);
    expect(exported).toMatchObject({ code: 0, err: expect.stringMatching(/^Requested exp_\w+\. /) });
    const { file, exportId } = JSON.parse(exported.out) as { file: string; exportId: string };
    const files = await unzip(readFileSync(join(terminal.path, file)));
    expect(files['room/chat-messages.jsonl']).toContain('Kept');
    expect(await terminal.json(['privacy', 'show', exportId])).toMatchObject({ status: 'COMPLETED' });

    expect(await terminal.vc(['privacy', 'erase', '--uid', 'pupil-1'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('--yes'),
    });
    expect(await terminal.json(['chat', 'list', roomId])).toHaveLength(2);
    const erased = await terminal.vc(['privacy', 'erase', '--uid', 'pupil-1', '--yes']);
    expect(erased.out).toMatch(/^Erasure +era_\w+\nStatus +COMPLETED\nWaiting for +-\n.*\n.*\nCompleted +\S+Z\nErased +.*room \d/);
    expect(await terminal.json(['chat', 'list', roomId])).toEqual([]);
  });

  it('says which credential was refused, not its value', async () => {
    const { code, out, err } = await terminal.vc(['rooms', 'list'], { env: { VC_URL: stack.urls.gateway, VC_API_KEY: 'vc_live_unknown' } });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^Error: The service refused the API key of VC_API_KEY \(UNAUTHORIZED, HTTP 401, request \S+\)\nCheck that .* vc login\n$/,
    );
    expect(err).not.toContain('vc_live_unknown');
  });

  it('shows the health, and fails unless everything works', async () => {
    const health = await terminal.vc(['health'], { env: { VC_URL: stack.urls.gateway } });
    const status = /status +(\w+)/.exec(health.out)?.[1] ?? '';
    expect(['healthy', 'degraded']).toContain(status);
    expect(health.code).toBe(status === 'healthy' ? 0 : 1);
  });
});
