import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { apiKeyRpc, MAX_KEY_USES } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, logger } from '@classroom/platform';

const FLUSH_INTERVAL_MS = 10_000;

/** When each key was last used. Reported in batches after ten seconds, so that no request waits for it. */
@Injectable()
export class ApiKeyUses implements BeforeApplicationShutdown {
  private uses = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  record(keyId: string): void {
    this.uses.set(keyId, this.clock.now());
    // A report covers many requests and belongs to none of their traces.
    this.timer ??= context.with(ROOT_CONTEXT, () => setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref());
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    const uses = [...this.uses].map(([keyId, at]) => ({ keyId, usedAt: at.toISOString() }));
    this.uses = new Map();
    this.timer = undefined;
    try {
      for (let at = 0; at < uses.length; at += MAX_KEY_USES) {
        await this.rpc.call(apiKeyRpc.used, { uses: uses.slice(at, at + MAX_KEY_USES) });
      }
    } catch (error) {
      logger.warn({ err: error }, 'API key usage not recorded');
    }
  }
}
