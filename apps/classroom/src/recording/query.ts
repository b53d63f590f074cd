import type { Layout } from '../app/app-store.js';

export interface Query {
  url: string;
  token: string;
  /** With which the page reads the board; empty: it shows none. */
  boardToken: string;
  layout: Layout;
  title: string;
  /** Path at our own origin. */
  logoUrl: string | null;
}

/**
 * The query with which LiveKit Egress, or our own recorder, opens the page.
 * @param fragment in which the board's token, and our own recorder's token, are hidden from proxies
 */
export function readQuery(search: string, fragment = ''): Query {
  const query = new URLSearchParams(search);
  const hidden = new URLSearchParams(fragment.replace(/^#/, ''));
  const logo = query.get('logo') ?? '';
  return {
    url: query.get('url') ?? '',
    token: hidden.get('token') ?? query.get('token') ?? '',
    boardToken: hidden.get('board') ?? '',
    layout: layoutOf(query.get('layout')) ?? 'grid',
    title: query.get('title') ?? '',
    logoUrl: logo.startsWith('/pictures/') ? logo : null,
  };
}

/** Maps LiveKit's layout names, such as `grid-light`, `speaker-dark` or `single-speaker`. Undefined for an unknown name. */
export function layoutOf(name: string | null | undefined): Layout | undefined {
  if (!name) return undefined;
  if (name.includes('speaker')) return 'speaker';
  return name.startsWith('grid') ? 'grid' : undefined;
}

/** The layout in the recorder's metadata: `{"layout":"…"}`. */
export function layoutOfMetadata(metadata: string | undefined): Layout | undefined {
  try {
    const { layout } = JSON.parse(metadata ?? '') as { layout?: unknown };
    return typeof layout === 'string' ? layoutOf(layout) : undefined;
  } catch {
    return undefined;
  }
}
