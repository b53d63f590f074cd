import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG } from './tokens.js';
import type { BaseConfig } from './config.js';

/** Work that goes on beside requests: a loop, a consumer. `stop` resolves when what was begun is done. */
export interface Task {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Starts background work when the process is up and stops it before anything is torn down. Work of the worker's role runs
 * in processes of that role alone.
 */
@Injectable()
export class Background implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: Task[] = [];

  constructor(@Inject(CONFIG) private readonly config: BaseConfig) {}

  add(task: Task, role: 'worker' | 'any' = 'worker'): void {
    if (role === 'any' || this.config.ROLES.includes(role)) this.tasks.push(task);
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }
}
