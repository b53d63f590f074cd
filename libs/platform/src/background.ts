import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CONFIG, type BaseConfig } from './config.js';

/** Work that continues between requests: a loop or a consumer. `stop` resolves when the work that has begun is done. */
export interface Task {
  start(): void;
  stop(): Promise<void>;
}

/** `worker`: only processes with the worker role; `any`: every process. */
export type TaskRole = 'worker' | 'any';

interface Mark {
  /** The property that holds the task; undefined if the provider itself is the task. */
  key: string | undefined;
  role: TaskRole;
}

const MARKS = Symbol('background tasks');

/**
 * Marks background work: a provider class that is a `Task`, or a property that holds one. An undefined property is ignored.
 * `@InBackground() private readonly loop = new Loop('room-sweep', 1_000, () => this.run());`
 */
export function InBackground(role: TaskRole = 'worker') {
  return (target: object, key?: string): void => {
    const prototype = typeof target === 'function' ? (target.prototype as object) : target;
    const marks = (Reflect.getMetadata(MARKS, prototype) ?? []) as Mark[];
    Reflect.defineMetadata(MARKS, [...marks, { key, role }], prototype);
  };
}

/** The marked tasks of a provider, for the roles of this process. */
function tasksOf(provider: object, roles: readonly string[]): Task[] {
  const marks = (Reflect.getMetadata(MARKS, provider) ?? []) as Mark[];
  return marks
    .filter(({ role }) => role === 'any' || roles.includes(role))
    .map(({ key }) => (key === undefined ? provider : (provider as Record<string, unknown>)[key]) as Task | undefined)
    .filter((task) => task !== undefined);
}

/** Starts background work when the process is up, and stops it before other components shut down. */
@Injectable()
export class Background implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: Task[] = [];
  private readonly stopping = Promise.withResolvers<void>();
  /** Resolves when all tasks have stopped. */
  readonly stopped = this.stopping.promise;

  constructor(
    @Inject(CONFIG) private readonly config: BaseConfig,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Adds a task that belongs to no provider. Call it before the application has started. */
  add(task: Task, role: TaskRole = 'worker'): void {
    if (role === 'any' || this.config.ROLES.includes(role)) this.tasks.push(task);
  }

  onApplicationBootstrap(): void {
    // The same instance may be provided under several names.
    const instances = new Set(this.discovery.getProviders().map(({ instance }) => instance as unknown));
    for (const instance of instances) {
      if (typeof instance === 'object' && instance !== null) for (const task of tasksOf(instance, this.config.ROLES)) this.tasks.push(task);
    }
    for (const task of this.tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
    this.stopping.resolve();
  }
}

/** The time that a process still has after it was asked to stop. */
@Injectable()
export class ShutdownDeadline {
  private until: number | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<BaseConfig, 'DRAIN_SECONDS'>) {}

  /** Starts the grace period; the process accepts no new work from now on. A second call has no effect. */
  begin(): void {
    this.until ??= Date.now() + this.config.DRAIN_SECONDS * 1000;
  }

  get hasBegun(): boolean {
    return this.until !== undefined;
  }

  /** How many milliseconds work may still continue, so that `reserveMs` remain to end it in order; 0 if none are left. */
  remaining(reserveMs: number): number {
    this.begin();
    return Math.max(0, (this.until ?? 0) - Date.now() - reserveMs);
  }
}
