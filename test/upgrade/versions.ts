import { join } from 'node:path';
import type { ManagedProcess, TestStack } from '@classroom/testing';
import type { Gateway } from '../chaos/balancer.js';
import type { ServiceAddress } from '../chaos/service-address.js';

interface Running {
  process: ManagedProcess;
  /** Port of its HTTP server, if it has one. */
  port: number | undefined;
}

/** The running processes of each app, of either version, and the addresses in front of those with an HTTP server. */
export class Versions {
  /** For a load that probes by itself which gateways are ready. */
  readonly gateways: Gateway[] = [];
  private readonly present = new Map<string, Running>();
  private readonly ports = new Map<string, number>();

  constructor(
    private readonly stack: TestStack,
    private readonly addresses: Record<string, ServiceAddress>,
    apps: readonly string[],
  ) {
    const own: Record<string, number | undefined> = { gateway: stack.ports.gateway, media: stack.ports.parts['media'] };
    for (const app of apps) this.begin(app, { process: stack.app(app), port: own[app] });
  }

  /** Starts a process of `repo`'s build next to the present one, waits for `together` while both work, then stops the old one gracefully. */
  async replace(app: string, repo: string, version: string, together: () => Promise<void>): Promise<void> {
    const before = this.present.get(app);
    if (!before) throw new Error(`there is no ${app}`);
    const name = `${app}-${version}`;
    const port = app in this.addresses ? this.portOf(name) : undefined;
    const process = this.stack.addProcess(app, { name, repo, env: this.environmentOf(app, name, port) });
    await process.start();
    this.begin(app, { process, port });
    await together();
    if (before.port !== undefined) this.addresses[app]?.remove(before.port);
    expect(await before.process.stop()).toMatchObject({ code: 0 });
  }

  private begin(app: string, running: Running): void {
    const { process, port } = running;
    this.present.set(app, running);
    if (port === undefined) return;
    this.addresses[app]?.add(port);
    const gateway = { port, probePort: this.stack.ports.probes[process.name] ?? 0 };
    if (app === 'gateway' && !this.gateways.some((known) => known.port === port)) this.gateways.push(gateway);
  }

  /** The same port for all processes with this name: one ends before the next one starts. */
  private portOf(name: string): number {
    const port = this.ports.get(name) ?? this.stack.port();
    this.ports.set(name, port);
    return port;
  }

  private environmentOf(app: string, name: string, port: number | undefined): Record<string, string> {
    const folder = join(this.stack.home, name);
    if (app === 'gateway') return { GATEWAY_PORT: String(port) };
    if (app === 'media') return { MEDIA_PORT: String(port), MEDIA_WORK_HOME: folder };
    return app === 'recorder' ? { RECORDER_HOME: folder } : {};
  }
}
