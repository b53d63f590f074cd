import type { EndpointContract } from '@classroom/contracts';

const paramsOf = ({ path }: EndpointContract) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

/**
 * The calls that can follow a success of this endpoint with the same credentials, by operation id. Undefined if the endpoint
 * declares no `links`.
 */
export function linksOf(endpoint: EndpointContract, all: readonly EndpointContract[]): Record<string, unknown> | undefined {
  const source = endpoint.links;
  if (!source) return undefined;
  // Ids that the endpoint's answer provides, not those that its request contained.
  const made = Object.keys(source).filter((name) => !source[name]?.startsWith('$request'));
  const followers = all.filter((it) => {
    const params = paramsOf(it);
    return it.auth === endpoint.auth && params.every((name) => name in source) && made.every((name) => params.includes(name));
  });
  return Object.fromEntries(
    followers
      .sort((a, b) => a.operationId.localeCompare(b.operationId))
      .map((it) => [
        it.operationId,
        {
          operationId: it.operationId,
          description: it.summary,
          parameters: Object.fromEntries(paramsOf(it).map((name) => [name, source[name]])),
        },
      ]),
  );
}
