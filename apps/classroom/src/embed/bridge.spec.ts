/// <reference types="jest" />
import { createBridge, type Embedding, isVerified } from './bridge.js';

const SCHOOL = 'https://school.example';
const room: Embedding = { roomId: 'algebra-1', verifiedDomains: ['school.example', '*.campus.example'] };
const ours = { source: 'virtual-classroom', version: 1 };

interface Sent {
  message: Record<string, any>;
  targetOrigin: string;
}

/** A framed page: records what it posts to its parent, and lets the test post messages to it. */
function frame({ ancestorOrigins, referrer = '' }: { ancestorOrigins?: string[]; referrer?: string } = {}) {
  const sent: Sent[] = [];
  const listeners = new Set<(event: object) => void>();
  const parent = { postMessage: (message: Sent['message'], targetOrigin: string) => sent.push({ message, targetOrigin }) };
  const window = {
    parent,
    location: { origin: 'https://classroom.example', ancestorOrigins },
    document: { referrer },
    addEventListener: (_: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (event: object) => void) => listeners.delete(listener),
  };
  const post = (data: unknown, { origin = SCHOOL, source = parent as object } = {}) =>
    listeners.forEach((listener) => listener({ data, origin, source }));
  const command = (command: string, args: object, id: string, from?: { origin?: string; source?: object }) =>
    post({ ...ours, command, args, id }, from);
  const hello = (from?: { origin?: string; source?: object }) => post({ ...ours, command: 'hello' }, from);
  return {
    window: window as unknown as Window,
    sent,
    listeners,
    post,
    command,
    hello,
    types: () => sent.map(({ message }) => message['type']),
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const results = (sent: Sent[]) => sent.filter(({ message }) => message['type'] === 'command_result').map(({ message }) => message['data']);

describe('the bridge to the embedding page', () => {
  it('posts to a verified parent only, in envelopes that are numbered from one', () => {
    const { window, sent } = frame({ ancestorOrigins: [SCHOOL, 'https://outer.example'] });
    const bridge = createBridge({ window, ...room });
    bridge.emit('connected', { uid: 'ada', role: 'TEACHER' });
    bridge.emit('class_ended', { reason: 'ended_by_teacher' });
    expect(sent.map(({ targetOrigin }) => targetOrigin)).toEqual([SCHOOL, SCHOOL]);
    expect(sent[0]?.message).toEqual({
      source: 'virtual-classroom',
      version: 1,
      type: 'connected',
      roomId: 'algebra-1',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      seq: 1,
      data: { uid: 'ada', role: 'TEACHER' },
    });
    expect(sent[1]?.message).toMatchObject({ type: 'class_ended', seq: 2, data: { reason: 'ended_by_teacher' } });
  });

  it('does nothing if the page is not framed', () => {
    const { window, sent, listeners } = frame({ ancestorOrigins: [] });
    Object.assign(window, { parent: window });
    const bridge = createBridge({ window, ...room });
    bridge.emit('connected', { uid: 'ada', role: 'TEACHER' });
    bridge.close();
    expect([sent.length, listeners.size]).toEqual([0, 0]);
  });

  it('takes the direct parent’s origin, even if the top page is verified', () => {
    const { window, sent } = frame({ ancestorOrigins: ['https://evil.example', SCHOOL] });
    createBridge({ window, ...room }).emit('connected', { uid: 'ada', role: 'TEACHER' });
    expect(sent).toEqual([]);
  });

  it('takes the referrer’s origin if the browser has no ancestorOrigins', () => {
    const { window, sent } = frame({ referrer: `${SCHOOL}/course/7?user=ada` });
    createBridge({ window, ...room }).emit('connected', { uid: 'ada', role: 'TEACHER' });
    expect(sent.map(({ targetOrigin }) => targetOrigin)).toEqual([SCHOOL]);
  });

  it.each([
    ['nothing', {}],
    ['a hidden parent', { ancestorOrigins: ['null'] }],
    ['a referrer that is no parent', { referrer: 'https://search.example/' }],
  ])('waits for a verified origin’s hello if the browser names %s, and then posts everything in order', (_, names) => {
    const { window, sent, hello, types } = frame(names);
    const bridge = createBridge({ window, ...room });
    bridge.emit('state_changed', { from: 'idle', to: 'connecting' });
    bridge.emit('connected', { uid: 'ada', role: 'TEACHER' });
    hello({ origin: 'https://evil.example' });
    hello({ source: {} });
    hello({ origin: 'null' });
    expect(sent).toEqual([]);
    hello();
    hello();
    bridge.emit('class_ended', { reason: 'ended_by_teacher' });
    expect(types()).toEqual(['state_changed', 'connected', 'class_ended']);
    expect(sent.map(({ message }) => message['seq'])).toEqual([1, 2, 3]);
    expect(new Set(sent.map(({ targetOrigin }) => targetOrigin))).toEqual(new Set([SCHOOL]));
  });

  it('keeps the last two hundred messages while it waits', () => {
    const { window, sent, hello } = frame();
    const bridge = createBridge({ window, ...room });
    for (let n = 0; n < 250; n += 1) bridge.emit('connection_quality_changed', { uid: 'ada', quality: 'good' });
    hello();
    expect(sent.map(({ message }) => message['seq'])).toEqual(Array.from({ length: 200 }, (_, index) => index + 51));
  });

  it('keeps messages until its room is known, and then posts them', () => {
    const { window, sent, command } = frame({ ancestorOrigins: [SCHOOL] });
    const bridge = createBridge({ window });
    bridge.emit('state_changed', { from: 'idle', to: 'connecting' });
    command('leave', {}, '1');
    expect(sent).toEqual([]);
    bridge.identify(room);
    expect(sent.map(({ message }) => [message['seq'], message['roomId'], message['type']])).toEqual([[1, 'algebra-1', 'state_changed']]);
  });

  it('posts only to its own origin if there are no verified domains', () => {
    const own = frame({ ancestorOrigins: ['https://classroom.example'] });
    createBridge({ window: own.window, roomId: 'r', verifiedDomains: [] }).emit('connected', { uid: 'ada', role: 'TEACHER' });
    expect(own.sent.map(({ targetOrigin }) => targetOrigin)).toEqual(['https://classroom.example']);
    const other = frame({ ancestorOrigins: [SCHOOL] });
    createBridge({ window: other.window, roomId: 'r', verifiedDomains: [] }).emit('connected', { uid: 'ada', role: 'TEACHER' });
    other.hello();
    expect(other.sent).toEqual([]);
    const ownUnlisted = frame({ ancestorOrigins: ['https://classroom.example'] });
    createBridge({ window: ownUnlisted.window, ...room }).emit('connected', { uid: 'ada', role: 'TEACHER' });
    expect(ownUnlisted.sent).toEqual([]);
  });

  it('neither posts nor listens after it is closed', async () => {
    const { window, sent, listeners, hello } = frame({ ancestorOrigins: [SCHOOL] });
    const bridge = createBridge({ window, ...room });
    bridge.close();
    bridge.emit('connected', { uid: 'ada', role: 'TEACHER' });
    hello();
    expect([sent.length, listeners.size]).toEqual([0, 0]);
  });

  describe('runs a command', () => {
    function commanded(handler: (...command: any[]) => Promise<void>) {
      const page = frame({ ancestorOrigins: [SCHOOL] });
      const bridge = createBridge({ window: page.window, ...room });
      const calls: unknown[][] = [];
      bridge.onCommand((...command) => {
        calls.push(command);
        return handler(...command);
      });
      return { ...page, calls };
    }

    it('and reports its success', async () => {
      const { command, calls, sent } = commanded(async () => undefined);
      command('set_microphone', { enabled: false }, 'a');
      await settled();
      expect(calls).toEqual([['set_microphone', { enabled: false }]]);
      expect(results(sent)).toEqual([{ id: 'a', ok: true }]);
    });

    it('or reports why it failed', async () => {
      const { command, calls, sent } = commanded(async () => {
        throw new Error('a student may not publish');
      });
      command('set_camera', { enabled: true }, 'a');
      command('set_camera', { enabled: 'yes' }, 'b');
      command('end_class', {}, 'c');
      await settled();
      expect(calls).toHaveLength(1);
      expect(results(sent)).toEqual(
        expect.arrayContaining([
          { id: 'a', ok: false, error: 'a student may not publish' },
          { id: 'b', ok: false, error: 'args.enabled must be a boolean' },
          { id: 'c', ok: false, error: 'unknown command' },
        ]),
      );
    });

    it('and reports a failure if the handler throws a value that is not an error', async () => {
      const { command, sent } = commanded(() => {
        throw 'no';
      });
      command('leave', {}, 'a');
      await settled();
      expect(results(sent)).toEqual([{ id: 'a', ok: false, error: 'no' }]);
    });

    it('once, however often it is sent', async () => {
      let finish = () => {};
      const { command, calls, sent } = commanded(() => new Promise<void>((resolve) => (finish = resolve)));
      command('leave', {}, 'a');
      command('leave', {}, 'a');
      await settled();
      expect(results(sent)).toEqual([]);
      finish();
      await settled();
      command('leave', {}, 'a');
      await settled();
      expect(calls).toHaveLength(1);
      expect(results(sent)).toEqual(Array.from({ length: 3 }, () => ({ id: 'a', ok: true })));
    });

    it('only if its parent sent it from the embedding origin', async () => {
      const { command, calls, sent } = commanded(async () => undefined);
      command('leave', {}, 'a', { origin: 'https://www.campus.example' });
      command('leave', {}, 'b', { origin: 'https://evil.example' });
      command('leave', {}, 'c', { source: {} });
      await settled();
      expect([calls, sent]).toEqual([[], []]);
    });

    it('only after the channel is open and a handler exists, and a rejected command may be sent again', async () => {
      const { window, command, hello, sent } = frame();
      const bridge = createBridge({ window, ...room });
      command('leave', {}, 'a');
      hello();
      await settled();
      expect(sent).toEqual([]);
      command('leave', {}, 'a');
      bridge.onCommand(async () => undefined);
      command('leave', {}, 'a');
      await settled();
      expect(results(sent)).toEqual([
        { id: 'a', ok: false, error: 'the classroom is not ready yet' },
        { id: 'a', ok: true },
      ]);
    });
  });
});

describe('a verified origin', () => {
  const domains = ['school.example', '*.campus.example', 'localhost:3000', '127.0.0.1:8080', 'lms.example:8443'];

  it.each([
    'https://school.example',
    'https://www.campus.example',
    'https://a.b.campus.example',
    'http://localhost:3000',
    'https://localhost:3000',
    'http://127.0.0.1:8080',
    'https://lms.example:8443',
  ])('is %s', (origin) => {
    expect(isVerified(origin, domains)).toBe(true);
  });

  it.each([
    ['another host that ends alike', 'https://evilschool.example'],
    ['another host that begins alike', 'https://school.example.evil.example'],
    ['a subdomain of a plain domain', 'https://www.school.example'],
    ['the bare domain of a wildcard', 'https://campus.example'],
    ['a host that ends like a wildcard without its dot', 'https://evilcampus.example'],
    ['a wildcard’s empty label', 'https://.campus.example'],
    ['plain http', 'http://school.example'],
    ['plain http with a port', 'http://lms.example:8443'],
    ['a port that is not listed', 'https://school.example:8443'],
    ['loopback without its port', 'http://localhost'],
    ['loopback on another port', 'http://localhost:3001'],
    ['a listed port left out', 'https://lms.example'],
    ['a trailing dot', 'https://school.example.'],
    ['an opaque origin', 'null'],
    ['nothing', ''],
    ['no URL', 'school.example'],
    ['a user that looks like the domain', 'https://school.example@evil.example'],
    ['a user before the domain', 'https://evil@school.example'],
    ['a path', 'https://school.example/class'],
    ['a slash', 'https://school.example/'],
    ['upper case, which no browser writes', 'https://SCHOOL.example'],
    ['another scheme', 'ftp://school.example'],
    ['an extension', 'chrome-extension://school.example'],
    ['a file', 'file://school.example'],
    ['a blob', 'blob:https://school.example/1'],
    ['a line break', 'https://school.example\n.evil.example'],
    ['a full-width dot, that a parser turns into one', 'https://www。campus.example'],
  ])('is not %s', (_, origin) => {
    expect(isVerified(origin, domains)).toBe(false);
  });

  it('does not exist if no domain is verified', () => {
    expect(isVerified('https://school.example', [])).toBe(false);
    expect(isVerified('null', ['null', ''])).toBe(false);
  });

  it('may be listed in upper case or with the default port', () => {
    expect(isVerified('https://school.example', ['School.Example'])).toBe(true);
    expect(isVerified('https://school.example', ['school.example:443'])).toBe(true);
    expect(isVerified('http://localhost', ['localhost'])).toBe(true);
    expect(isVerified('http://school.example:443', ['school.example:443'])).toBe(false);
  });

  it('never matches a single *', () => {
    expect(isVerified('https://school.example', ['*', '*.', '*.example:8443'])).toBe(false);
  });
});
