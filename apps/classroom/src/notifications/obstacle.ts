/** Why the browser shows no notification of this page. */
export type Obstacle = 'framed' | 'blocked' | 'unanswered' | 'unsupported';

type Browser = Pick<Window, 'origin' | 'top'> & { Notification?: typeof Notification };

export function findObstacle(browser: Browser = window): Obstacle | undefined {
  const { Notification: api } = browser;
  if (!api) return 'unsupported';
  if (api.permission === 'granted') return undefined;
  if (!canConstruct(api)) return 'unsupported';
  // Chromium, Firefox and Safari refuse without asking in a frame of another site. No `allow` changes that.
  if (isFramedByOther(browser)) return 'framed';
  return api.permission === 'denied' ? 'blocked' : 'unanswered';
}

/** Chromium on Android has the constructor, but it throws: there, only service workers show notifications. Shows nothing, as it is not permitted. */
function canConstruct(api: typeof Notification): boolean {
  try {
    return new api('') instanceof api;
  } catch {
    return false;
  }
}

export function isFramedByOther({ top, origin }: Browser = window): boolean {
  try {
    return top?.origin !== origin;
  } catch {
    return true;
  }
}
