/** What a page needs of the browser's window. */
export type Page = Pick<Window, 'location' | 'history' | 'sessionStorage'>;

const TOKEN = 'console-token';
const OPERATOR_KEY = 'console-operator-key';

/**
 * Takes the dashboard token out of the page's address, where it could be seen, copied or found by the computer's next user, and keeps it in this
 * tab. A link with another token replaces the kept one.
 */
export function takeToken(page: Page): void {
  const { location, history } = page;
  const link = new URLSearchParams(location.hash.slice(1));
  const token = link.get('token');
  if (token === null) return;
  page.sessionStorage.setItem(TOKEN, token);
  link.delete('token');
  const rest = String(link);
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest && `#${rest}`}`);
}

/** The credentials of this tab. Closing the tab forgets them. */
export class Credentials {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly storage: Storage) {}

  readonly token = (): string | null => this.storage.getItem(TOKEN);
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
    return path.startsWith('/v1/dashboard/') ? { authorization: `Bearer ${this.token() ?? ''}` } : {};
  }

  /** Forgets the credential that a path's service has refused. */
  refused(path: string): void {
    if (path.startsWith('/v1/admin/')) this.forgetOperatorKey();
    else this.forgetToken();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
