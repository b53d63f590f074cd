import { createHash } from 'node:crypto';
import {
  ERASURE_KEPT_COPIES,
  erasureRpc,
  type Erasure,
  type ErasureCounts,
  type ErasureReceipt,
  type ErasureSubject,
} from '@classroom/contracts';
import type { ErasureEntity } from '../schema/erasure.entity.js';
import type { ReceiptSigner } from './receipt-signer.js';

const DAY_MS = 86_400_000;

type Service = keyof typeof erasureRpc;

/**
 * The services that erase before this one does, in stages: those of a stage are asked when all before them have finished. Only `room` knows whether
 * the classes of a person are over. An organization's charges have to be final before its classes are deleted.
 */
const STAGES = {
  personOrClass: [['room'], ['ai', 'billing', 'recording']],
  organization: [
    ['billing', 'media', 'recording'],
    ['ai', 'room'],
  ],
} as const satisfies Record<string, Service[][]>;

export const stagesOf = ({ isOfOrganization }: Pick<ErasureEntity, 'isOfOrganization'>): readonly (readonly Service[])[] =>
  isOfOrganization ? STAGES.organization : STAGES.personOrClass;

export function toErasure(row: ErasureEntity, signer: ReceiptSigner): Erasure {
  const { erasureId, completedAt, results, requestedAt, beginsAt, begunAt, receipt } = row;
  const waitingFor = completedAt
    ? []
    : [
        ...stagesOf(row)
          .flat()
          .filter((service) => !results[service]),
        'organization',
      ];
  const status = completedAt ? 'COMPLETED' : begunAt !== null || Object.keys(results).length > 0 ? 'RUNNING' : 'PENDING';
  return {
    erasureId,
    status,
    waitingFor,
    requestedAt: requestedAt.toISOString(),
    beginsAt: beginsAt?.toISOString() ?? null,
    receipt,
    signature: receipt && signer.sign(receipt),
  };
}

/** The subject appears only as a hash: the receipt itself must not contain what was erased. */
export function toReceipt(
  { erasureId, organizationId, requestedAt }: Pick<ErasureEntity, 'erasureId' | 'organizationId' | 'requestedAt'>,
  subject: ErasureSubject,
  results: Record<string, ErasureCounts>,
  { completedAt, backupDays }: { completedAt: Date; backupDays: number },
): ErasureReceipt {
  const [[kind, id] = []] = Object.entries('organization' in subject ? { organization: organizationId } : subject);
  const after = (days: number) => new Date(completedAt.getTime() + days * DAY_MS).toISOString();
  return {
    erasureId,
    subjectHash: createHash('sha256').update(`${erasureId}:${kind}:${id}`).digest('hex'),
    requestedAt: requestedAt.toISOString(),
    completedAt: completedAt.toISOString(),
    stores: Object.entries(results)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([service, counts]) => Object.entries(counts).map(([store, count]) => ({ service, store, count }))),
    remaining: [
      { store: 'messages between services', until: after(30) },
      { store: 'exports of others that contain the data', until: after(7) },
      { store: 'answers kept for repeated requests', until: after(1) },
      { store: 'backups', until: after(backupDays) },
      { store: 'logs and traces', until: null },
      { store: 'providers of AI models', until: null },
      ...(results['recording']?.[ERASURE_KEPT_COPIES] ? [{ store: 'the organization’s own bucket for recordings', until: null }] : []),
    ],
  };
}
