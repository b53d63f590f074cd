import { Module } from '@nestjs/common';
import { SummarizeAiUsage } from './summarize-ai-usage.js';
import { UsageRepository } from './usage.repository.js';

@Module({
  providers: [UsageRepository, SummarizeAiUsage],
  exports: [UsageRepository],
})
export class UsageModule {}
