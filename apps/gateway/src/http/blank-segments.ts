/**
 * `/v1/room//status` has a blank id, for which there is a specific answer (400 `Missing roomId`), but the router would not find the
 * route. Each blank segment is therefore replaced by an encoded space, which the route matches.
 */
export function keepBlankSegments(url: string): string {
  if (!url.startsWith('/v1/')) return url;
  const [path = '', ...query] = url.split('?');
  const kept = path === '/v1/room' ? '/v1/room/%20' : path.replaceAll(/\/(?=\/|$)/g, '/%20');
  return [kept, ...query].join('?');
}
