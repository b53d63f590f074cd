import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { apiKeyRpc, credentialRpc, MAX_REPORTED_USES } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, logger } from '@classroom/platform';

const FLUSH_INTERVAL_MS = 10_000;

interface Use {
  id: string;
  usedAt: string;
}

/** When each credential of one kind was last used. */
class UseLog {
  private uses = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly report: (uses: Use[]) => Promise<unknown>,
  ) {}

  record(id: string): void {
    this.uses.set(id, this.clock.now());
    // A report covers many requests and belongs to none of their traces.
    this.timer ??= context.with(ROOT_CONTEXT, () => setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref());
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    const uses = [...this.uses].map(([id, at]) => ({ id, usedAt: at.toISOString() }));
    this.uses = new Map();
    this.timer = undefined;
    try {
      for (let at = 0; at < uses.length; at += MAX_REPORTED_USES) await this.report(uses.slice(at, at + MAX_REPORTED_USES));
    } catch (error) {
      logger.warn({ err: error }, 'use of credentials not recorded');
    }
  }
}

/** When API keys and values of VF-ORG-ID were last used. Reported in batches after ten seconds, so that no request waits for it. */
@Injectable()
export class CredentialUses implements BeforeApplicationShutdown {
  private readonly keys: UseLog;
  private readonly credentials: UseLog;

  constructor(rpc: RpcClient, clock: Clock) {
    this.keys = new UseLog(clock, (uses) => rpc.call(apiKeyRpc.used, { uses: uses.map(({ id: keyId, usedAt }) => ({ keyId, usedAt })) }));
    this.credentials = new UseLog(clock, (uses) =>
      rpc.call(credentialRpc.used, { uses: uses.map(({ id: credentialId, usedAt }) => ({ credentialId, usedAt })) }),
    );
  }

  recordKey(keyId: string): void {
    this.keys.record(keyId);
  }

  recordCredential(credentialId: string): void {
    this.credentials.record(credentialId);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.keys.flush(), this.credentials.flush()]);
  }
}
