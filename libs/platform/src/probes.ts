import { createServer, type Server, type ServerResponse } from 'node:http';
import { metricReader } from './telemetry/metrics.js';

/** Answers the orchestrator's probes: alive (the event loop runs), started, ready (started, not draining, required dependencies answer). */
export class ProbeServer {
  private started = false;
  private draining = false;
  private missing: () => Promise<string[]> = async () => [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void this.answer(request.url ?? '/', response).catch(() => send(response, 500, { status: 'error' }));
      if (request.url === '/metrics') return metricReader.getMetricsRequestHandler(request, response);
      return undefined;
    });
  }

  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
  }

  markStarted(missing: () => Promise<string[]>): void {
    this.missing = missing;
    this.started = true;
  }

  /** Not ready from now on: load balancers stop sending requests while those in progress finish. */
  markDraining(): void {
    this.draining = true;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    if (url === '/metrics') return;
    if (url === '/livez') return send(response, 200, { status: 'alive' });
    if (url === '/startupz') return send(response, this.started ? 200 : 503, { started: this.started });
    if (url !== '/readyz') return send(response, 404, { status: 'not found' });
    if (!this.started || this.draining) return send(response, 503, { ready: false, draining: this.draining });
    const missing = await this.missing();
    send(response, missing.length === 0 ? 200 : 503, { ready: missing.length === 0, missing });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
