import { Controller, Inject } from '@nestjs/common';
import { getSystem, processRpc, type ProcessReport } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, CONFIG } from '@classroom/platform';
import type { GatewayConfig } from '../config.js';
import { Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

/** LiveKit Egress may record in place of recorders. */
const EXPECTED = Object.keys(processRpc).filter((service) => service !== 'recorder');

type Answer = ProcessReport & { service: string };

@Controller()
export class SystemController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  @Endpoint(getSystem)
  async getSystem() {
    const at = this.clock.wall().toISOString();
    const found = await Promise.all(
      Object.values(processRpc).map(async (contract) => {
        const reports = await this.rpc.callAll(contract);
        return reports.map((report): Answer => ({ service: contract.service, ...report }));
      }),
    );
    const answers = found.flat();
    return success({
      at,
      missing: EXPECTED.filter((service) => !answers.some((answer) => answer.service === service)),
      processes: answers.map(({ queues: _, consumers: __, ...process }) => process),
      // All processes of a service read the same values.
      queues: once(
        answers,
        ({ queues }) => queues,
        ({ queue }) => queue,
      ),
      consumers: once(
        answers,
        ({ consumers }) => consumers,
        ({ consumer }) => consumer,
      ),
      tracesUrl: this.config.TRACES_URL ?? null,
    });
  }
}

/** The items of all answers, one of each name. */
function once<T>(answers: readonly Answer[], itemsOf: (answer: Answer) => readonly T[], nameOf: (item: T) => string) {
  const items = answers.flatMap((answer) => itemsOf(answer).map((item) => ({ service: answer.service, ...item })));
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}
