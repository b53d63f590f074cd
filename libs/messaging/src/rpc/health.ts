import { Controller, type Type } from '@nestjs/common';
import { healthRpc, type RpcInput, type RpcOutput, type ServiceName } from '@classroom/contracts';
import { Dependencies } from '@classroom/platform';
import { RpcHandler } from './handler.js';

/** Each service tells the gateway how the parts that it uses are. */
export function healthController(service: ServiceName): Type {
  const contract = healthRpc(service);

  @Controller()
  class HealthController {
    constructor(readonly dependencies: Dependencies) {}

    @RpcHandler(contract)
    async check(_input: RpcInput<typeof contract>): Promise<RpcOutput<typeof contract>> {
      return { dependencies: await this.dependencies.states() };
    }
  }
  return HealthController;
}
