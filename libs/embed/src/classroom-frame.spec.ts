import { ClassroomFrame, webOrigin } from './classroom-frame.js';
import type { ClassroomEvents, ClassroomEventType } from './protocol.js';

const CLASSROOM = 'https://classroom.example';

/** A fake iframe in a host page. Records the messages posted into it and lets the test send messages from the classroom page. */
function host({ src = `${CLASSROOM}/r/RM_1#token=t`, isLoaded = true } = {}) {
  const posted: [message: Record<string, any>, targetOrigin: string, delegate?: string][] = [];
  const navigator = { userActivation: { isActive: false } };
  const contentWindow = {
    postMessage: (message: object, { targetOrigin, delegate }: { targetOrigin: string; delegate?: string }) =>
      posted.push(delegate ? [message, targetOrigin, delegate] : [message, targetOrigin]),
  };
  const listeners = { message: new Set<(event: object) => void>(), load: new Set<() => void>() };
  const target = {
    addEventListener: (type: 'message' | 'load', listener: () => void) => listeners[type].add(listener),
    removeEventListener: (type: 'message' | 'load', listener: () => void) => listeners[type].delete(listener),
  };
  const contentDocument = isLoaded ? null : { readyState: 'complete', URL: 'about:blank' };
  const iframe = { ...target, src, contentWindow, contentDocument, ownerDocument: { defaultView: { ...target, navigator } } };
  const post = (data: unknown, { origin = CLASSROOM, source = contentWindow as object | null } = {}) =>
    listeners.message.forEach((listener) => listener({ data, origin, source }));
  let seq = 0;
  const emit = (type: string, data: unknown, from?: { origin?: string; source?: object | null }) => {
    seq += 1;
    const timestamp = new Date().toISOString();
    post({ source: 'virtual-classroom', version: 1, type, roomId: 'algebra-1', timestamp, seq, data }, from);
  };
  const load = () => {
    iframe.contentDocument = null;
    listeners.load.forEach((listener) => listener());
  };
  const commands = () => posted.map(([message]) => message).filter(({ command }) => command !== 'hello');
  const hellos = () => posted.filter(([{ command }]) => command === 'hello');
  return {
    iframe: iframe as unknown as HTMLIFrameElement,
    contentWindow,
    navigator,
    posted,
    listeners,
    post,
    emit,
    load,
    commands,
    hellos,
  };
}

const started = (page: ReturnType<typeof host>) => page.emit('state_changed', { from: 'idle', to: 'connecting' });

describe('a classroom in an iframe', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function listen(page: ReturnType<typeof host>, types: ClassroomEventType[] = ['connected', 'participant_joined']) {
    const frame = new ClassroomFrame(page.iframe);
    const received: [ClassroomEventType, ClassroomEvents[ClassroomEventType]][] = [];
    for (const type of types) frame.on(type, (data) => received.push([type, data]));
    return { frame, received };
  }

  it('passes events to listeners by type, with data and envelope', () => {
    const page = host();
    const frame = new ClassroomFrame(page.iframe);
    const received: unknown[][] = [];
    frame.on('connected', (data, envelope) => received.push([data.uid, data.role, envelope.roomId, envelope.seq]));
    page.emit('connected', { uid: 'ada', role: 'TEACHER' });
    page.emit('class_ended', { reason: 'class_ended' });
    expect(received).toEqual([['ada', 'TEACHER', 'algebra-1', 1]]);
  });

  it('passes no events to a removed listener, and still passes them to the others', () => {
    const page = host();
    const frame = new ClassroomFrame(page.iframe);
    const received: string[] = [];
    const stop = frame.on('connected', () => received.push('first'));
    frame.on('connected', () => received.push('second'));
    stop();
    page.emit('connected', { uid: 'ada', role: 'TEACHER' });
    expect(received).toEqual(['second']);
  });

  it.each<[string, { origin?: string; source?: object | null }]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another window of the same origin', { source: {} }],
    ['nowhere', { source: null }],
  ])('ignores messages from %s', (_, from) => {
    const page = host();
    const { received } = listen(page);
    page.emit('connected', { uid: 'eve', role: 'TEACHER' }, from);
    expect(received).toEqual([]);
  });

  it('ignores unknown sources, versions, types and shapes', () => {
    const page = host();
    const { received } = listen(page);
    const data = { uid: 'ada', role: 'TEACHER' };
    const message = { source: 'virtual-classroom', version: 1, type: 'connected', roomId: 'r', timestamp: '', seq: 1, data };
    for (const invalid of [{ source: 'other' }, { version: 2 }, { type: 'whiteboard_changed' }, { type: 'toString' }, { data: null }]) {
      page.post({ ...message, ...invalid });
    }
    for (const invalid of [null, undefined, 'connected', 7, [message]]) page.post(invalid);
    expect(received).toEqual([]);
  });

  it('receives nothing if src is not a web address', () => {
    const page = host({ src: 'javascript:alert(1)' });
    const { received } = listen(page);
    page.emit('connected', { uid: 'ada', role: 'TEACHER' }, { origin: 'null' });
    page.load();
    expect([received, page.posted]).toEqual([[], []]);
    expect(['data:text/html,', 'about:blank', '', 'x'].map(webOrigin)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is sent hello on load, to its exact origin, repeatedly until it answers', () => {
    const page = host({ isLoaded: false });
    const { received } = listen(page);
    jest.advanceTimersByTime(10_000);
    expect(page.posted).toEqual([]);
    page.load();
    expect(page.posted).toEqual([[{ source: 'virtual-classroom', version: 1, command: 'hello' }, CLASSROOM]]);
    jest.advanceTimersByTime(2_000);
    const { length } = page.hellos();
    expect(length).toBeGreaterThan(2);
    page.emit('connected', { uid: 'ada', role: 'TEACHER' });
    jest.advanceTimersByTime(60_000);
    expect([page.hellos().length, received.length]).toEqual([length, 1]);
    page.load();
    expect(page.hellos()).toHaveLength(length + 1);
  });

  it('is sent hello immediately if it was loaded before', () => {
    const page = host();
    listen(page);
    expect(page.hellos()).toHaveLength(1);
  });

  it('is sent hello twenty times at most if it never answers', () => {
    const page = host();
    listen(page);
    jest.advanceTimersByTime(3_600_000);
    expect(page.hellos()).toHaveLength(20);
  });

  describe('runs a command', () => {
    it('and the promise resolves', async () => {
      const page = host();
      const { frame } = listen(page);
      started(page);
      const done = frame.setMicrophone(false);
      const [command] = page.commands();
      expect(command).toEqual({
        source: 'virtual-classroom',
        version: 1,
        command: 'set_microphone',
        args: { enabled: false },
        id: expect.any(String),
      });
      page.emit('command_result', { id: command?.['id'], ok: true });
      await expect(done).resolves.toBeUndefined();
    });

    it('by its name, with its arguments and its own id', () => {
      const page = host();
      const { frame } = listen(page);
      started(page);
      const promises = [frame.leave(), frame.setCamera(true), frame.startScreenShare(), frame.raiseHand(true), frame.setLayout('speaker')];
      for (const promise of promises) void promise.catch(() => undefined);
      expect(page.commands().map(({ command, args }) => [command, args])).toEqual([
        ['leave', {}],
        ['set_camera', { enabled: true }],
        ['start_screen_share', {}],
        ['raise_hand', { raised: true }],
        ['set_layout', { layout: 'speaker' }],
      ]);
      expect(new Set(page.commands().map(({ id }) => id)).size).toBe(5);
      expect(new Set(page.posted.map(([, targetOrigin]) => targetOrigin))).toEqual(new Set([CLASSROOM]));
      frame.close();
    });

    it('with the user’s activation only for screen sharing', () => {
      const page = host();
      const { frame } = listen(page);
      started(page);
      page.navigator.userActivation.isActive = true;
      for (const promise of [frame.startScreenShare(), frame.setCamera(true)]) void promise.catch(() => undefined);
      expect(page.posted.slice(-2).map(([{ command }, , delegate]) => [command, delegate])).toEqual([
        ['start_screen_share', 'display-capture'],
        ['set_camera', undefined],
      ]);
      frame.close();
    });

    it('or the promise rejects with the classroom’s reason', async () => {
      const page = host();
      const { frame } = listen(page);
      started(page);
      const done = frame.setCamera(true);
      page.emit('command_result', { id: page.commands()[0]?.['id'], ok: false, error: 'a student may not publish' });
      await expect(done).rejects.toThrow('a student may not publish');
    });

    it('once the classroom has sent its first message', () => {
      const page = host({ isLoaded: false });
      const { frame } = listen(page);
      void frame.raiseHand(true).catch(() => undefined);
      page.load();
      expect(page.commands()).toEqual([]);
      started(page);
      started(page);
      expect(page.commands().map(({ command }) => command)).toEqual(['raise_hand']);
      frame.close();
    });

    it('or the promise rejects after ten seconds, and a later answer is ignored', async () => {
      const page = host();
      const { frame } = listen(page);
      started(page);
      const done = frame.leave();
      const refused = expect(done).rejects.toThrow('did not answer within 10 s');
      jest.advanceTimersByTime(10_000);
      await refused;
      page.emit('command_result', { id: page.commands()[0]?.['id'], ok: true });
      page.emit('command_result', { id: 'unknown', ok: true });
    });

    it('or the promise rejects when it is closed, and no events arrive afterwards', async () => {
      const page = host();
      const { frame, received } = listen(page);
      started(page);
      const done = frame.leave();
      frame.close();
      await expect(done).rejects.toThrow('the classroom was closed');
      await expect(frame.leave()).rejects.toThrow('the classroom was closed');
      page.emit('connected', { uid: 'ada', role: 'TEACHER' });
      expect([received.length, page.listeners.message.size, page.listeners.load.size]).toEqual([0, 0, 0]);
    });
  });
});
