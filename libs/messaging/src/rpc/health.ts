import { Inject, Injectable, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { healthRpc, processRpc, type RpcOutput, type ServiceName } from '@classroom/contracts';
import { CONFIG, Dependencies, type BaseConfig } from '@classroom/platform';
import { Handles } from './handles.js';
import { reportProcess } from './process-report.js';
import { RpcServer } from './server.js';

/** Reports to the gateway the state of each dependency that the service uses, and what each of its processes knows of itself. */
export function healthOf(service: ServiceName): Type {
  const contract = healthRpc(service);

  @Injectable()
  class Health implements OnApplicationBootstrap {
    constructor(
      readonly dependencies: Dependencies,
      readonly server: RpcServer,
      @Inject(CONFIG) readonly config: BaseConfig,
    ) {}

    /** In every role, and without a queue group: each process answers. */
    onApplicationBootstrap(): void {
      this.server.serve(processRpc[service], () => reportProcess(this.config), { queue: null });
    }

    @Handles(contract)
    async check(): Promise<RpcOutput<typeof contract>> {
      return { dependencies: await this.dependencies.states() };
    }
  }
  return Health;
}
