export interface Link {
  /** Null where the address names no video. */
  src: string | null;
  poster: string | null;
  title: string;
  language: string | null;
}

/** `#src=…&poster=…&title=…&lang=…`: in the fragment, so that a signed address reaches no server's log. */
export function readLink(fragment: string): Link {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  return {
    src: webAddress(fields.get('src')),
    poster: webAddress(fields.get('poster')),
    title: fields.get('title')?.trim() ?? '',
    language: fields.get('lang'),
  };
}

/** By its path: what follows the question mark may be a content network's own. */
export const isPlaylist = (src: string): boolean => new URL(src).pathname.toLowerCase().endsWith('.m3u8');

/** Nothing but http and https is loaded, whoever made the link. */
function webAddress(text: string | null): string | null {
  if (!text || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
