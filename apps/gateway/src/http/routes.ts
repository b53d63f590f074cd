import { AppError, closestTo, type EndpointContract } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from './endpoint.js';

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

/** Why no route serves this request: the path does not exist, or it has other methods, which `Allow` then lists. */
export function noRouteError(request: FastifyRequest, reply: FastifyReply): AppError {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = endpoints.filter((endpoint) => patternOf(endpoint.path).test(path)).map(({ method }) => method);
  // The rewritten URL has a mark in each blank segment.
  if (methods.length === 0) return notFound(request.originalUrl.split('?', 1)[0] ?? '', request.method);
  reply.header('allow', methods.join(', '));
  return new AppError('METHOD_NOT_ALLOWED', { message: `Method not allowed: use ${methods.join(' or ')}` });
}

function notFound(path: string, method: string): AppError {
  const meant = meantBy(path, method);
  return new AppError('NOT_FOUND', meant ? { message: `Not found: did you mean ${meant.method} ${meant.path}?` } : {});
}

/** The endpoint whose path is written almost like this one: without the version, with a slash at its end, or with other letters. */
function meantBy(path: string, method: string): EndpointContract | undefined {
  const given = segmentsOf(path);
  const close = endpoints
    .filter(({ auth }) => auth === 'organization' || auth === 'none')
    .filter((endpoint) => {
      const known = segmentsOf(endpoint.path);
      return known.length === given.length && known.every((segment, at) => isClose(given[at] ?? '', segment));
    });
  return close.find((endpoint) => endpoint.method === method) ?? close[0];
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== 'v1');

const isClose = (given: string, known: string) => known.startsWith(':') || closestTo(given, [known]) !== undefined;

const patterns = new Map<string, RegExp>();
function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (!pattern) {
    pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
