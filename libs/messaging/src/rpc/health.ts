import { Injectable, type Type } from '@nestjs/common';
import { healthRpc, type RpcOutput, type ServiceName } from '@classroom/contracts';
import { Dependencies } from '@classroom/platform';
import { Handles } from './handles.js';

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
