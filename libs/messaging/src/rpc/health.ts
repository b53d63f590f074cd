import { Inject, Injectable, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { type AppName, healthRpc, processRpc, type RpcOutput, type ServiceName } from '@classroom/contracts';
import { CONFIG, Dependencies, type BaseConfig } from '@classroom/platform';
import { Handles } from './handles.js';
import { reportProcess } from './process-report.js';
import { RpcServer } from './server.js';

/** Reports to the gateway the state of each dependency that the service uses. */
export function healthOf(service: ServiceName): Type {
  const contract = healthRpc(service);

  @Injectable()
  class Health {
    constructor(readonly dependencies: Dependencies) {}

    @Handles(contract)
    async check(): Promise<RpcOutput<typeof contract>> {
      return { dependencies: await this.dependencies.states() };
    }
  }
  return Health;
}

/** Reports what each process of the app knows of itself. */
export function reportsOf(app: AppName): Type {
  @Injectable()
  class Reports implements OnApplicationBootstrap {
    constructor(
      readonly server: RpcServer,
      @Inject(CONFIG) readonly config: BaseConfig,
    ) {}

    /** In every role, and without a queue group: each process answers. */
    onApplicationBootstrap(): void {
      this.server.serve(processRpc[app], () => reportProcess(this.config), { queue: null });
    }
  }
  return Reports;
}
