import { createPrivateKey, createPublicKey, hkdfSync, sign, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Erasure, ErasureReceipt } from '@classroom/contracts';
import { CONFIG, ed25519PrivateKey } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';

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
