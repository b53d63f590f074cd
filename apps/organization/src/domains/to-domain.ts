import type { Domain } from '@classroom/contracts';
import type { DomainProofEntity } from '../schema/domain-proof.entity.js';
import { recordNameOf } from './domain-records.js';

export const toDomain = (domain: string, isVerified: boolean, proof: DomainProofEntity | null): Domain => ({
  domain,
  status: isVerified ? 'VERIFIED' : 'PENDING',
  record: proof && { name: recordNameOf(domain), value: proof.token },
  lookup: proof?.lookup ?? null,
  checkedAt: proof?.checkedAt?.toISOString() ?? null,
  missingSince: proof?.missingSince?.toISOString() ?? null,
});
