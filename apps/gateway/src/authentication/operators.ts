import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import type { GatewayConfig } from '../config.js';
import { DISPATCH, type Operator } from '../operators-setting.js';

const digest = (secret: string) => createHash('sha256').update(secret).digest();

/** The operators and the hashes of their secrets. */
@Injectable()
export class Operators {
  private readonly known: { operator: Operator; hash: Buffer; until: number }[];

  constructor(@Inject(CONFIG) config: Pick<GatewayConfig, 'DISPATCH_SECRET' | 'DISPATCH_SECRET_PREVIOUS' | 'OPERATORS'>) {
    const { DISPATCH_SECRET, DISPATCH_SECRET_PREVIOUS, OPERATORS } = config;
    const shared = [DISPATCH_SECRET, DISPATCH_SECRET_PREVIOUS].filter((secret) => secret !== undefined);
    this.known = [
      ...shared.map((secret) => ({ operator: { name: DISPATCH, role: 'admin' as const }, hash: digest(secret), until: Infinity })),
      ...OPERATORS.map(({ hash, until = Infinity, ...operator }) => ({ operator, hash: Buffer.from(hash, 'hex'), until })),
    ];
  }

  /** The operator with this secret, unless it has expired. Compares with all hashes, in a time that reveals nothing about any of them. */
  find(secret: string): Operator | undefined {
    const given = digest(secret);
    const matches = this.known.map(({ hash }) => timingSafeEqual(given, hash));
    const found = this.known[matches.indexOf(true)];
    return found && Date.now() < found.until ? found.operator : undefined;
  }
}
