import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { CONFIG, logger, SecretCipher } from '@classroom/platform';
import type { GatewayConfig } from '../config.js';
import { CacheRedis } from '../limits/cache-redis.js';

const CODE_BYTES = 24;
const LIFETIME_S = 60;

export interface IssuedToken {
  token: string;
  /** ISO 8601. */
  expiresAt: string;
  sessionId: string;
}

/** Codes in links to the console, each for one dashboard token. Redis has a hash of the code, and the token encrypted. */
@Injectable()
export class DashboardCodes {
  private readonly cipher: SecretCipher;

  constructor(
    @Inject(CONFIG) { DASHBOARD_TOKEN_SECRET: secrets }: Pick<GatewayConfig, 'DASHBOARD_TOKEN_SECRET'>,
    private readonly cache: CacheRedis,
  ) {
    this.cipher = new SecretCipher('classroom/gateway/dashboard-codes/v1', secrets);
  }

  /** Null if Redis is unreachable: the token works nevertheless. */
  async create(issued: IssuedToken): Promise<string | null> {
    const code = `vdc_${randomBytes(CODE_BYTES).toString('base64url')}`;
    const key = keyOf(code);
    try {
      await this.cache.replies.set(key, this.cipher.seal(key, JSON.stringify(issued)), 'EX', LIFETIME_S);
      return code;
    } catch (error) {
      logger.warn({ err: error }, 'the code of a dashboard link could not be stored');
      return null;
    }
  }

  /** Of concurrent calls with a code, one succeeds. @throws AppError UNAUTHORIZED, SERVICE_UNAVAILABLE */
  async take(code: string): Promise<IssuedToken> {
    const key = keyOf(code);
    const sealed = await this.cache.replies.getdel(key).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
    if (sealed === null) throw new AppError('UNAUTHORIZED');
    return JSON.parse(this.cipher.open(key, sealed)) as IssuedToken;
  }
}

const keyOf = (code: string) => `kept:dashboard-code:${createHash('sha256').update(code).digest('base64url')}`;
