import { findObstacle } from './obstacle.js';

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
