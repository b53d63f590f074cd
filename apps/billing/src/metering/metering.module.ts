import { Module } from '@nestjs/common';
import { AddSessionPartitions } from './add-session-partitions.js';
import { AiUsagesRepository } from './ai-usages.repository.js';
import { BudgetWarningsRepository } from './budget-warnings.repository.js';
import { DueMetersRepository } from './due-meters.repository.js';
import { MetersRepository } from './meters.repository.js';
import { SessionsRepository } from './sessions.repository.js';

@Module({
  providers: [
    AddSessionPartitions,
    AiUsagesRepository,
    BudgetWarningsRepository,
    DueMetersRepository,
    MetersRepository,
    SessionsRepository,
  ],
  exports: [AiUsagesRepository, BudgetWarningsRepository, DueMetersRepository, MetersRepository, SessionsRepository],
})
export class MeteringModule {}
