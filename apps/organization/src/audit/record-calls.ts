import { Injectable } from '@nestjs/common';
import { auditedCall, CONSUMERS, OPERATORS_LOG, type AuditedCall } from '@classroom/contracts';
import { ConsumesBatch, type Delivery } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint, InBackground, Loop } from '@classroom/platform';
import { AppendCalls } from './append-calls.js';
import { AuditPendingRepository } from './audit-pending.repository.js';

const SWEEP_EVERY_MS = 10_000;
const MAX_SWEPT = 100;
/** How long to wait for the status of a call, in milliseconds. After that its gateway has ended. Longer than an answer is streamed. */
const SILENT_MS = 30 * 60_000;
/** How long a call may still have an effect after it was answered with a failure, in milliseconds. */
const UNCERTAIN_MS = 2 * 60_000;
const BAD_REQUEST = 400;
const SERVER_ERROR = 500;

/** Appends the calls that the gateways store to the audit log, when their answer is known. Repeated messages have no effect. */
@Injectable()
export class RecordCalls {
  @InBackground() private readonly sweep = new Loop('audit-sweep', SWEEP_EVERY_MS, () => this.appendDue());

  constructor(
    private readonly database: Database,
    private readonly calls: AppendCalls,
    private readonly pending: AuditPendingRepository,
    private readonly clock: Clock,
  ) {}

  @ConsumesBatch<AuditedCall>(CONSUMERS.organizationAudit, {
    concurrency: 2,
    batchSize: 128,
    keyOf: ({ organizationId, id }) => organizationId ?? id,
  })
  async execute(deliveries: readonly Delivery<AuditedCall>[]): Promise<void> {
    const calls = deliveries.map(({ body }) => auditedCall.parse(body));
    await this.database.transaction(async (tx) => {
      const ended = calls.filter(({ status }) => status !== null);
      const endedIds = new Set(ended.map(({ id }) => id));
      for (const call of calls) if (!endedIds.has(call.id)) await this.pending.addBegun(tx, call, logOf(call), this.after(SILENT_MS));
      for (const call of ended.filter(isUncertain)) await this.pending.addUncertain(tx, call, logOf(call), this.after(UNCERTAIN_MS));
      const refused = ended.filter(isRefusedParticipant);
      await this.pending.remove(
        tx,
        refused.map(({ id }) => id),
      );
      await this.calls.append(
        tx,
        ended.filter((call) => !isUncertain(call) && !isRefusedParticipant(call)),
      );
      if (ended.length > 0) await failpoint('organization.audit.before-commit');
    });
    if (calls.some(({ status }) => status !== null)) await failpoint('organization.audit.after-commit');
  }

  private async appendDue(): Promise<void> {
    let taken: number;
    do taken = await this.database.transaction((tx) => this.appendSome(tx));
    while (taken === MAX_SWEPT);
  }

  private async appendSome(tx: Transaction): Promise<number> {
    const due = await this.pending.takeDue(tx, this.clock.now(), MAX_SWEPT);
    await this.calls.append(
      tx,
      due.map(({ call }) => call),
    );
    return due.length;
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}

const logOf = ({ organizationId }: AuditedCall) => organizationId ?? OPERATORS_LOG;

/** Had no effect, and is not in the log, which keeps its entries: a student could fill it. */
const isRefusedParticipant = ({ actor, status }: AuditedCall) =>
  actor.type === 'participant' && status !== null && status >= BAD_REQUEST && status < SERVER_ERROR;

/** After a timeout, for example, the service may still do what it was asked. */
const isUncertain = ({ status }: AuditedCall) => status !== null && status >= SERVER_ERROR;
