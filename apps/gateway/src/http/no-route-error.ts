import { AppError } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from './endpoint.js';

/** Why no route serves this request: the path does not exist, or it has other methods, which `Allow` then lists. */
export function noRouteError(request: FastifyRequest, reply: FastifyReply): AppError {
  const methods = methodsOf(request.url);
  if (methods.length === 0) return new AppError('NOT_FOUND');
  reply.header('allow', methods.join(', '));
  return new AppError('METHOD_NOT_ALLOWED');
}

/** Methods of the endpoints at this path. */
function methodsOf(url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return endpoints.filter((endpoint) => patternOf(endpoint.path).test(path)).map(({ method }) => method);
}

const patterns = new Map<string, RegExp>();
function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (!pattern) {
    pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
