import { Module } from '@nestjs/common';
import { AddSessionPartitions } from './add-session-partitions.js';
import { DueMetersRepository } from './due-meters.repository.js';
import { MetersRepository } from './meters.repository.js';
import { SessionsRepository } from './sessions.repository.js';

@Module({
  providers: [AddSessionPartitions, DueMetersRepository, MetersRepository, SessionsRepository],
  exports: [DueMetersRepository, MetersRepository, SessionsRepository],
})
export class MeteringModule {}
