import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

export type Method = (...given: never[]) => unknown;

/** All marked methods of all providers, bound to their instance. */
export function* markedMethods<M>(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  markOf: (method: Method) => M | undefined,
): Generator<{ mark: M; method: Method }> {
  // The same instance may be provided under several names.
  const instances = new Set(discovery.getProviders().map(({ instance }) => instance as unknown));
  for (const instance of instances) {
    if (typeof instance !== 'object' || instance === null) continue;
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const method = (instance as Record<string, Method>)[name];
      const mark = method && markOf(method);
      if (method && mark) yield { mark, method: method.bind(instance) };
    }
  }
}
