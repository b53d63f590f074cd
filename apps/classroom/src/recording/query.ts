import type { Layout } from '../app/app-store.js';

export interface Query {
  url: string;
  token: string;
  layout: Layout;
  title: string;
  logoUrl: string | null;
}

/** What LiveKit's egress, or our own recorder, opens the page with. */
export function readQuery(search: string): Query {
  const query = new URLSearchParams(search);
  const logo = query.get('logo') ?? '';
  return {
    url: query.get('url') ?? '',
    token: query.get('token') ?? '',
    layout: layoutOf(query.get('layout')) ?? 'grid',
    title: query.get('title') ?? '',
    logoUrl: /^https?:\/\//.test(logo) || logo.startsWith('/') ? logo : null,
  };
}

/** LiveKit's own names are `grid-light`, `speaker-dark` and the like; `single-speaker` shows one alone. */
export function layoutOf(name: string | null | undefined): Layout | undefined {
  if (!name) return undefined;
  if (name.includes('speaker')) return 'speaker';
  return name.startsWith('grid') ? 'grid' : undefined;
}

/** The recorder's own metadata: `{"layout":"…"}`. */
export function layoutOfMetadata(metadata: string | undefined): Layout | undefined {
  try {
    const { layout } = JSON.parse(metadata ?? '') as { layout?: unknown };
    return typeof layout === 'string' ? layoutOf(layout) : undefined;
  } catch {
    return undefined;
  }
}
