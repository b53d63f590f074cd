export interface Link {
  /** Null if the link contains no video address. */
  src: string | null;
  poster: string | null;
  title: string;
  language: string | null;
}

/** Reads `#src=…&poster=…&title=…&lang=…`. The fields are in the fragment, so that a signed address does not appear in server logs. */
export function readLink(fragment: string): Link {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  return {
    src: webAddress(fields.get('src')),
    poster: webAddress(fields.get('poster')),
    title: fields.get('title')?.trim() ?? '',
    language: fields.get('lang'),
  };
}

/** Decided by the path, because the query may belong to the content network. */
export const isPlaylist = (src: string): boolean => new URL(src).pathname.toLowerCase().endsWith('.m3u8');

/** Only http and https addresses are loaded, whatever the link contains. */
function webAddress(text: string | null): string | null {
  if (!text || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
