import { Module } from '@nestjs/common';
import { UsageSummary } from './usage-summary.js';
import { UsageRepository } from './usage.repository.js';

@Module({
  providers: [UsageRepository, UsageSummary],
  exports: [UsageRepository],
})
export class UsageModule {}
