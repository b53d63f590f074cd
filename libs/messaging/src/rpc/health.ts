import { Injectable, type Type } from '@nestjs/common';
import { healthRpc, type RpcOutput, type ServiceName } from '@classroom/contracts';
import { Dependencies } from '@classroom/platform';
import { Handles } from './handles.js';

/** Each service reports to the gateway how the parts that it uses are. */
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
