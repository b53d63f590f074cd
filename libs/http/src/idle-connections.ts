const EVERY_MS = 100;

/** Connections that become idle after the server began to close would keep it for their whole keep-alive. */
export function closeIdleConnections(server: { closeIdleConnections(): void }): NodeJS.Timeout {
  return setInterval(() => server.closeIdleConnections(), EVERY_MS).unref();
}
