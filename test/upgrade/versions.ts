import { join } from 'node:path';
import type { ManagedProcess, TestStack } from '@classroom/testing';
import type { Gateway } from '../chaos/balancer.js';
import type { ServiceAddress } from '../chaos/service-address.js';

interface Running {
  process: ManagedProcess;
  /** Of its HTTP server, where it has one. */
  port: number | undefined;
}

/** Who serves of each app, of whichever version, and the addresses in front of those that are called over HTTP. */
export class Versions {
  /** For a load that looks itself who is ready. */
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

  /** One of `repo`'s build beside the present one, both at work while `together` goes on; then the present one ends in order. */
  async replace(app: string, repo: string, version: string, together: () => Promise<void>): Promise<void> {
    const before = this.present.get(app);
    if (!before) throw new Error(`there is no ${app}`);
    const name = `${app}-${version}`;
    const port = app in this.addresses ? this.portOf(name) : undefined;
    const process = this.stack.beside(app, { name, repo, env: this.environmentOf(app, name, port) });
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

  /** The same for all processes of a name: one has ended before the next begins. */
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
