import { Module } from '@nestjs/common';
import { DueMetersRepository } from './due-meters.repository.js';
import { MetersRepository } from './meters.repository.js';
import { SessionsRepository } from './sessions.repository.js';

@Module({
  providers: [DueMetersRepository, MetersRepository, SessionsRepository],
  exports: [DueMetersRepository, MetersRepository, SessionsRepository],
})
export class MeteringModule {}
