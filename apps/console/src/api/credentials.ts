/** What a page needs of the browser's window. */
export type Page = Pick<Window, 'location' | 'history' | 'sessionStorage'>;

const TOKEN = 'console-token';
const OPERATOR_KEY = 'console-operator-key';
/** Takes the code of a link, and no credential. */
const SESSION = '/v1/dashboard/session';

/** Exchanges the code of a link for its token; undefined if the code was used or is too old. */
export type Exchange = (code: string) => Promise<string | undefined>;

/** Takes a code out of the page's address, and keeps its token as `takeToken` does. */
export async function takeCode(page: Page, exchange: Exchange, mayReplace: () => boolean): Promise<void> {
  const code = takeFromAddress(page, 'code');
  const token = code === null ? undefined : await exchange(code);
  if (token !== undefined) keep(page, token, mayReplace);
}

/**
 * Takes the dashboard token out of the page's address, where it could be seen, copied or found by the computer's next user, and keeps it in this
 * tab. A link with another token replaces the kept one; for another organization, only if `mayReplace` says so.
 */
export function takeToken(page: Page, mayReplace: () => boolean): void {
  const token = takeFromAddress(page, 'token');
  if (token !== null) keep(page, token, mayReplace);
}

function takeFromAddress({ location, history }: Page, name: string): string | null {
  const link = new URLSearchParams(location.hash.slice(1));
  const value = link.get(name);
  if (value === null) return null;
  link.delete(name);
  const rest = String(link);
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest && `#${rest}`}`);
  return value;
}

function keep(page: Page, token: string, mayReplace: () => boolean): void {
  const kept = page.sessionStorage.getItem(TOKEN);
  if (kept === null || kept === token || isOver(kept) || isOfSameOrganization(kept, token) || mayReplace())
    page.sessionStorage.setItem(TOKEN, token);
}

/** What a token says. The service verifies it with each call. */
function claimsOf(token: string): { tag?: unknown; exp?: unknown; jti?: unknown } {
  try {
    const [, payload = ''] = token.split('.');
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object;
  } catch {
    return {};
  }
}

const isOver = (token: string) => !(Number(claimsOf(token).exp) * 1000 > Date.now());

function isOfSameOrganization(one: string, other: string): boolean {
  const { tag } = claimsOf(one);
  return typeof tag === 'string' && tag === claimsOf(other).tag;
}

/** The credentials of this tab. Closing the tab forgets them. */
export class Credentials {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly storage: Storage) {}

  readonly token = (): string | null => this.storage.getItem(TOKEN);
  /** The session of the kept token; undefined if it has none. */
  sessionId(): string | undefined {
    const { jti } = claimsOf(this.token() ?? '');
    return typeof jti === 'string' ? jti : undefined;
  }

  readonly operatorKey = (): string | null => this.storage.getItem(OPERATOR_KEY);

  setOperatorKey(key: string): void {
    this.storage.setItem(OPERATOR_KEY, key);
    this.changed();
  }

  forgetToken(): void {
    this.storage.removeItem(TOKEN);
    this.changed();
  }

  forgetOperatorKey(): void {
    this.storage.removeItem(OPERATOR_KEY);
    this.changed();
  }

  /** Called with each change. @returns ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The header that authenticates a call of a path. */
  headersFor(path: string): Record<string, string> {
    if (path.startsWith('/v1/admin/')) return { 'x-dispatch-secret': this.operatorKey() ?? '' };
    return path.startsWith('/v1/') && path !== SESSION ? { authorization: `Bearer ${this.token() ?? ''}` } : {};
  }

  /** Forgets the credential that a path's service has refused. */
  refused(path: string): void {
    // The code of a link, not the credential of the tab.
    if (path === SESSION) return;
    if (path.startsWith('/v1/admin/')) this.forgetOperatorKey();
    else this.forgetToken();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
