import { Controller } from '@nestjs/common';
import { healthRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { Dependencies } from '@classroom/platform';

const contract = healthRpc('recorder');

/** Of its own, because the messaging module's comes with an outbox, and a recorder has no database. */
@Controller()
export class HealthController {
  constructor(private readonly dependencies: Dependencies) {}

  @RpcHandler(contract)
  async check(_input: RpcInput<typeof contract>): Promise<RpcOutput<typeof contract>> {
    return { dependencies: await this.dependencies.states() };
  }
}
