import { Module } from '@nestjs/common';
import { AddressLimit } from './address-limit.js';
import { CacheRedis } from './cache-redis.js';
import { OrganizationLimit } from './organization-limit.js';
import { PersonLimit } from './person-limit.js';
import { RateLimit } from './rate-limit.js';
import { Refusals } from './refusals.js';

@Module({
  providers: [AddressLimit, CacheRedis, OrganizationLimit, PersonLimit, RateLimit, Refusals],
  exports: [AddressLimit, CacheRedis, PersonLimit, RateLimit, Refusals],
})
export class LimitsModule {}
