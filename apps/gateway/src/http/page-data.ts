/** Adds data to a page, which reads it from a meta element: no inline script is allowed to carry it. */
export const withMeta = (html: string, name: string, data: unknown): string =>
  html.replace('</head>', () => `<meta name="${name}" content="${escapeHtml(JSON.stringify(data))}"></head>`);

const ENTITIES: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
/** Text as it is written in an element or an attribute. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&"<>]/g, (character) => ENTITIES[character] ?? character);
