const STORAGE_KEY = 'classroom-link';

type Page = Pick<Window, 'parent' | 'location' | 'history' | 'sessionStorage'>;

/**
 * Returns the join token of the link; empty without one. In a window of its own, the page removes the token from the address,
 * where it could be seen, copied or found by the computer's next user. It keeps the token for reloads until the tab is closed.
 * In a frame, and if the browser denies storage, the token stays in the address, because a reload would have none.
 */
export function takeJoinToken(page: Page): string {
  const { parent, location, history } = page;
  const link = new URLSearchParams(location.hash.slice(1));
  const token = link.get('token');
  if (token === null) return loadToken(page) ?? '';
  if (parent === page && storeToken(page, token)) {
    link.delete('token');
    const rest = String(link);
    history.replaceState(history.state, '', `${location.pathname}${location.search}${rest && `#${rest}`}`);
  }
  return token;
}

function storeToken(page: Page, token: string): boolean {
  try {
    page.sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ path: page.location.pathname, token }));
    return true;
  } catch {
    return false;
  }
}

function loadToken(page: Page): string | undefined {
  try {
    const stored = JSON.parse(page.sessionStorage.getItem(STORAGE_KEY) ?? '{}') as { path?: string; token?: string };
    return stored.path === page.location.pathname ? stored.token : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a token has expired by its own claims; only the server checks its signature. */
export function isTokenExpired(token: string, now: number): boolean {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number };
    return exp !== undefined && exp * 1000 <= now;
  } catch {
    return false;
  }
}

const TOKEN_KEY = 'classroom';

/** Keeps the classroom token for a reload after the join token has expired. A framed page may be denied storage. */
export function storeClassroomToken(joinToken: string, classroomToken: string): void {
  try {
    sessionStorage.setItem(TOKEN_KEY, JSON.stringify({ joinToken, classroomToken }));
  } catch {}
}

export function loadClassroomToken(joinToken: string): string | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(TOKEN_KEY) ?? '{}') as { joinToken?: string; classroomToken?: string };
    return stored.joinToken === joinToken ? stored.classroomToken : undefined;
  } catch {
    return undefined;
  }
}
