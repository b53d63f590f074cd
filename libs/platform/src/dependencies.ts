import { Injectable } from '@nestjs/common';
import type { DependencyState } from '@classroom/contracts';
import { observedGauge } from './telemetry/observed-gauge.js';
import { within } from './limits.js';

type Check = () => Promise<unknown>;
const CHECK_TIMEOUT_MS = 1_000;

interface Dependency {
  check: Check;
  /** Without it this process can do no work, so it is not ready. */
  required: boolean;
}

/** The dependencies of this process. The code that opens a connection registers a check for it. */
@Injectable()
export class Dependencies {
  private readonly byName = new Map<string, Dependency>();

  constructor() {
    observedGauge('classroom_dependency_up', 'Whether a part that this process uses answers', async () =>
      Object.entries(await this.states()).map(([dependency, state]) => ({ value: state === 'up' ? 1 : 0, attributes: { dependency } })),
    );
  }

  register(name: string, check: Check, options: { required: boolean }): void {
    this.byName.set(name, { check, required: options.required });
  }

  async states(): Promise<Record<string, DependencyState>> {
    return Object.fromEntries(await statesOf([...this.byName]));
  }

  /** Names of required dependencies that do not answer. */
  async missing(): Promise<string[]> {
    const states = await statesOf([...this.byName].filter(([, { required }]) => required));
    return states.filter(([, state]) => state === 'down').map(([name]) => name);
  }
}

const statesOf = (dependencies: [string, Dependency][]) =>
  Promise.all(dependencies.map(async ([name, { check }]) => [name, await stateOf(check)] as const));

async function stateOf(check: Check): Promise<DependencyState> {
  try {
    await within(CHECK_TIMEOUT_MS, check());
    return 'up';
  } catch {
    return 'down';
  }
}
