import { Module } from '@nestjs/common';
import { AddressLimit } from './address-limit.js';
import { CacheRedis } from './cache-redis.js';
import { InProgressLimit } from './in-progress-limit.js';
import { OrganizationLimit } from './organization-limit.js';
import { PersonLimit } from './person-limit.js';
import { RateLimit } from './rate-limit.js';
import { FailedAuthenticationLimit } from './failed-authentication-limit.js';

@Module({
  providers: [AddressLimit, CacheRedis, InProgressLimit, OrganizationLimit, PersonLimit, RateLimit, FailedAuthenticationLimit],
  exports: [AddressLimit, CacheRedis, InProgressLimit, PersonLimit, RateLimit, FailedAuthenticationLimit],
})
export class LimitsModule {}
