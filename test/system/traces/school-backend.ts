import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canary } from './canaries.js';

/** A school's backend that accepts every webhook. */
export class SchoolBackend {
  private readonly server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });

  /** @returns the address for webhooks, whose path is secret */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${canary('hook')}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
