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
