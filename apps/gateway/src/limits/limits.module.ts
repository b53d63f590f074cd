import { Module } from '@nestjs/common';
import { AddressLimit } from './address-limit.js';
import { CacheRedis } from './cache-redis.js';
import { EventStreamLimit } from './event-stream-limit.js';
import { InProgressLimit } from './in-progress-limit.js';
import { OrganizationLimit } from './organization-limit.js';
import { PersonLimit } from './person-limit.js';
import { RateLimit } from './rate-limit.js';
import { FailedAuthenticationLimit } from './failed-authentication-limit.js';

@Module({
  providers: [
    AddressLimit,
    CacheRedis,
    EventStreamLimit,
    InProgressLimit,
    OrganizationLimit,
    PersonLimit,
    RateLimit,
    FailedAuthenticationLimit,
  ],
  exports: [AddressLimit, CacheRedis, EventStreamLimit, InProgressLimit, PersonLimit, RateLimit, FailedAuthenticationLimit],
})
export class LimitsModule {}
