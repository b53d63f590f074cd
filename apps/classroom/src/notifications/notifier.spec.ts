import { createAppStore } from '../app/app-store.js';
import { notificationSetting } from './alerts.js';
import { hand, message, user } from '../class/fake-service.js';
import { INITIAL_SNAPSHOT, type ClassSnapshot } from '../class/snapshot.js';
import type { ClassroomSession } from '../session/session.js';
import { Store } from '../store.js';
import { Notifier, findObstacle } from './notifier.js';

describe('the notifier', () => {
  let isHidden: boolean;
  let isPermitted: boolean;
  let changeVisibility: () => void;
  let open: string[];
  let sounds: number;
  let counts: number[];
  let app: ReturnType<typeof createAppStore>;
  let notifier: Notifier;
  let state: Store<ClassSnapshot>;

  beforeEach(() => {
    [isHidden, isPermitted, open, sounds, counts] = [true, true, [], 0, []];
    notificationSetting.set({ isOn: true, hasSound: true });
    const session = {
      participant: user('tom'),
      permissions: { manageParticipants: true },
    } as Partial<ClassroomSession> as ClassroomSession;
    app = createAppStore();
    app.set({ screen: 'class', session });
    state = new Store<ClassSnapshot>({ ...INITIAL_SNAPSHOT, isLoaded: true });
    notifier = new Notifier({
      app,
      classStore: { getSnapshot: state.get, subscribe: state.subscribe },
      visibility: {
        isVisible: () => !isHidden,
        onVisibility: (listener) => {
          changeVisibility = listener;
          return () => undefined;
        },
      },
      show: (kind, { name, count }) => {
        if (!isPermitted) return undefined;
        const shown = `${kind} ${name} ${count}`;
        // As a browser does with notifications of the same tag.
        open = [...open.filter((one) => !one.startsWith(kind)), shown];
        return { close: () => (open = open.filter((one) => one !== shown)) };
      },
      playSound: () => (sounds += 1),
      showCount: (count) => counts.push(count),
    });
  });

  // All share the setting.
  afterEach(() => notifier.clear());

  it('shows one notification of each kind, with how many there were, and closes all when the page is visible', () => {
    state.set({ hands: [hand('ada')] });
    state.set({ hands: [hand('ada'), hand('ben')], messages: [message(1)] });
    expect(open).toEqual(['hand Name of ben 2', 'chat Name of ada 1']);
    expect([sounds, counts.at(-1)]).toEqual([0, 3]);
    isHidden = false;
    changeVisibility();
    expect([open, counts.at(-1)]).toEqual([[], 0]);
    state.set({ hands: [] });
    isHidden = true;
    changeVisibility();
    state.set({ hands: [hand('ada')] });
    expect(open).toEqual(['hand Name of ada 1']);
  });

  it('is silent while the page is visible, and while the participant has turned it off', () => {
    isHidden = false;
    state.set({ hands: [hand('ada')] });
    isHidden = true;
    notificationSetting.set({ isOn: false });
    state.set({ hands: [hand('ada'), hand('ben')] });
    notificationSetting.set({ isOn: true });
    state.set({ messages: [] });
    expect([open, counts, sounds]).toEqual([[], [], 0]);
  });

  it('plays one sound where the browser shows no notification, unless that is turned off, and counts', () => {
    isPermitted = false;
    state.set({ hands: [hand('ada')], messages: [message(1)] });
    expect([sounds, counts.at(-1)]).toEqual([1, 2]);
    notificationSetting.set({ hasSound: false });
    state.set({ messages: [message(1), message(2)] });
    expect([sounds, counts.at(-1)]).toEqual([1, 3]);
  });

  it('shows the count again when the page has set its title, and closes all when the stay is over', () => {
    state.set({ hands: [hand('ada')] });
    counts = [];
    app.set({ session: { ...(app.get().session as ClassroomSession) } });
    expect(counts).toEqual([1]);
    app.set({ screen: 'outcome' });
    expect([open, counts.at(-1)]).toEqual([[], 0]);
  });
});

type Browser = NonNullable<Parameters<typeof findObstacle>[0]>;

/** A window with a constructor that notes what it is called for, or throws. */
function browserOf(permission: NotificationPermission | undefined, { top = {}, throws = false }: { top?: object; throws?: boolean } = {}) {
  const constructed: string[] = [];
  const api = Object.assign(
    function (title: string) {
      if (throws) throw new TypeError('Illegal constructor');
      constructed.push(title);
    },
    { permission },
  );
  const origin = 'https://class.example';
  const window = { origin, top: { origin, ...top }, ...(permission && { Notification: api }) } as unknown as Browser;
  return { window, constructed };
}

it.each([
  ['granted', {}, undefined],
  ['default', {}, 'unanswered'],
  ['denied', {}, 'blocked'],
  // In a frame of another site, Chromium says `denied`, although the participant was never asked.
  ['denied', { top: { origin: 'https://school.example' } }, 'framed'],
  ['granted', { top: { origin: 'https://school.example' } }, undefined],
  ['default', { throws: true }, 'unsupported'],
  [undefined, {}, 'unsupported'],
] as const)('a browser with the permission %s and %j has the obstacle %s', (permission, options, obstacle) => {
  expect(findObstacle(browserOf(permission, options).window)).toBe(obstacle);
});

it('takes a page above that it may not read for another site', () => {
  const top = Object.defineProperty({}, 'origin', {
    get: () => {
      throw new DOMException('Blocked', 'SecurityError');
    },
  });
  const { window } = browserOf('denied');
  expect(findObstacle(Object.assign(window, { top }))).toBe('framed');
});

it('never constructs a notification where it would be shown', () => {
  const { window, constructed } = browserOf('granted');
  findObstacle(window);
  expect(constructed).toEqual([]);
});
