const EVERY_MS = 100;

/**
 * Closes idle connections every 100 ms. Otherwise a connection that becomes idle during the shutdown would delay it by its whole
 * keep-alive time.
 */
export function closeIdleConnections(server: { closeIdleConnections(): void }): NodeJS.Timeout {
  return setInterval(() => server.closeIdleConnections(), EVERY_MS).unref();
}
