/**
 * `/v1/room//status` names a blank id, which has an answer of its own (400 `Missing roomId`), while the router would not
 * find the route at all: blank segments become a blank that the route matches.
 */
export function keepBlankSegments(url: string): string {
  if (!url.startsWith('/v1/')) return url;
  const [path = '', ...query] = url.split('?');
  const kept = path === '/v1/room' ? '/v1/room/%20' : path.replaceAll(/\/(?=\/|$)/g, '/%20');
  return [kept, ...query].join('?');
}
