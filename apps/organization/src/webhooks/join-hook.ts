import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deleteJoinHook, organizationRpc, setJoinHook, type JoinHook, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, durationHistogram, logger, Outbound } from '@classroom/platform';
import { z } from 'zod';
import { OrganizationChanges } from '../organizations/organization-changes.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { EndpointAddress } from './endpoints.js';
import { postWebhook, signatureHeaders, SigningSecrets, type WebhookAnswer } from './post-webhook.js';

/** The join hook of an organization, as operators set it. */
@Injectable()
export class JoinHooks {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly address: EndpointAddress,
    private readonly secrets: SigningSecrets,
    private readonly changes: OrganizationChanges,
  ) {}

  /** @throws AppError VALIDATION_FAILED, ORGANIZATION_NOT_FOUND */
  @Handles(setJoinHook)
  async set({ organizationId, url, timeoutMs, fallback }: RpcInput<typeof setJoinHook>): Promise<RpcOutput<typeof setJoinHook>> {
    await this.address.requireAllowed(url);
    const hook = { url, timeoutMs, fallback };
    const sealed = await this.change(organizationId, hook);
    return { ...hook, secret: this.secrets.open(organizationId, sealed ?? '') };
  }

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(deleteJoinHook)
  async delete({ organizationId }: RpcInput<typeof deleteJoinHook>): Promise<{ organizationId: string }> {
    await this.change(organizationId, null);
    return { organizationId };
  }

  /** @returns the encrypted secret of the hook */
  private change(organizationId: string, hook: JoinHook | null): Promise<string | null> {
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.lock(tx, organizationId);
      const joinHookSecret = hook && (row.joinHookSecret ?? this.secrets.create(organizationId).sealed);
      await this.changes.save(tx, row, { joinHook: hook, joinHookSecret });
      return joinHookSecret;
    });
  }
}

const FAILURES = 3;
const PAUSE_MS = 30_000;

/** Pauses calls to an address after some failures in a row, so that a class does not wait for each. Times are in milliseconds. */
export class Circuit {
  private readonly failing = new Map<string, { failures: number; pausedUntil: number }>();

  isPaused(key: string, now: number): boolean {
    return (this.failing.get(key)?.pausedUntil ?? 0) > now;
  }

  record(key: string, hasFailed: boolean, now: number): void {
    if (!hasFailed) {
      this.failing.delete(key);
      return;
    }
    const failures = (this.failing.get(key)?.failures ?? 0) + 1;
    this.failing.set(key, { failures, pausedUntil: failures < FAILURES ? 0 : now + PAUSE_MS });
  }
}

const answered = z.object({ allow: z.boolean() });

/** What a backend answered: whether the participant may join. Undefined if it did not, or not in a way that can be understood. */
export function verdictOf({ error, responseBody }: Pick<WebhookAnswer, 'error' | 'responseBody'>): boolean | undefined {
  if (error !== null || responseBody === null) return undefined;
  try {
    return answered.safeParse(JSON.parse(responseBody)).data?.allow;
  } catch {
    return undefined;
  }
}

const duration = durationHistogram('join.hook.duration', 'Questions to join hooks, by outcome');

/** Asks an organization's backend whether a participant may join. */
@Injectable()
export class AskJoinHook {
  private readonly circuit = new Circuit();

  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly outbound: Outbound,
    private readonly secrets: SigningSecrets,
    private readonly clock: Clock,
  ) {}

  /** A question is asked once: a participant waits for the answer. Without one, the hook's fallback holds. */
  @Handles(organizationRpc.askJoinHook)
  async execute({
    organizationId,
    ...participant
  }: RpcInput<typeof organizationRpc.askJoinHook>): Promise<RpcOutput<typeof organizationRpc.askJoinHook>> {
    const row = await this.organizations.find(organizationId);
    if (!row?.joinHook || !row.joinHookSecret) return { isAllowed: true };
    const { url, timeoutMs, fallback } = row.joinHook;
    const key = `${organizationId} ${url}`;
    const at = this.clock.wall();
    if (this.circuit.isPaused(key, at.getTime())) return { isAllowed: fallback === 'allow' };
    const id = `join_${randomUUID()}`;
    const body = JSON.stringify({ type: 'participant.joining', timestamp: at.toISOString(), data: participant });
    const headers = signatureHeaders([this.secrets.open(organizationId, row.joinHookSecret)], { id, at, body });
    const started = performance.now();
    const answer = await postWebhook({ outbound: this.outbound, url, headers, body, timeoutMs });
    const verdict = verdictOf(answer);
    this.circuit.record(key, verdict === undefined, this.clock.wall().getTime());
    const outcome = verdict === undefined ? (answer.error ?? 'unclear') : verdict ? 'allowed' : 'refused';
    duration.record((performance.now() - started) / 1000, { outcome });
    if (verdict === undefined) logger.warn({ organizationId, outcome, fallback }, 'a join hook gave no answer');
    return { isAllowed: verdict ?? fallback === 'allow' };
  }
}
