import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  ERASURE_KEPT_COPIES,
  erasureRpc,
  type Erasure,
  type ErasureCounts,
  type ErasureReceipt,
  type ErasureSubject,
} from '@classroom/contracts';
import { CONFIG, ed25519PrivateKey } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';

const PURPOSE = 'classroom/organization/erasure-receipts/v1';
/** PKCS 8 of an Ed25519 key, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs receipts with RECEIPT_SIGNING_KEY, or with a key that is derived from the first WEBHOOK_KEY_SECRET. */
@Injectable()
export class ReceiptSigner {
  private readonly key: KeyObject;
  private readonly publicKey: string;

  constructor(
    @Inject(CONFIG) {
      RECEIPT_SIGNING_KEY: own,
      WEBHOOK_KEY_SECRET: [secret],
    }: Pick<OrganizationConfig, 'RECEIPT_SIGNING_KEY' | 'WEBHOOK_KEY_SECRET'>,
  ) {
    this.key = own === undefined ? derived(secret) : ed25519PrivateKey('RECEIPT_SIGNING_KEY', own);
    this.publicKey = createPublicKey(this.key).export({ format: 'der', type: 'spki' }).toString('base64');
  }

  sign(receipt: ErasureReceipt): NonNullable<Erasure['signature']> {
    const value = sign(null, Buffer.from(canonical(receipt)), this.key).toString('base64');
    return { algorithm: 'Ed25519', publicKey: this.publicKey, value };
  }
}

function derived(secret: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** JSON with sorted keys and no spaces. Receipts contain text, whole numbers and null, for which that is RFC 8785. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}

const DAY_MS = 86_400_000;

type Service = keyof typeof erasureRpc;

/**
 * The services that erase before this one does, in stages: those of a stage are asked when all before them have finished. Only `room` knows whether
 * the classes of a person are over. `media` has nothing of a person. An organization's charges have to be final before its classes are deleted.
 */
const STAGES = {
  person: [['room'], ['ai', 'billing', 'recording']],
  class: [['room'], ['ai', 'billing', 'media', 'recording']],
  organization: [
    ['billing', 'media', 'recording'],
    ['ai', 'room'],
  ],
} as const satisfies Record<string, Service[][]>;

export function stagesOf({
  isOfOrganization,
  subject,
}: Pick<ErasureEntity, 'isOfOrganization' | 'subject'>): readonly (readonly Service[])[] {
  if (isOfOrganization) return STAGES.organization;
  return subject && 'roomId' in subject ? STAGES.class : STAGES.person;
}

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
