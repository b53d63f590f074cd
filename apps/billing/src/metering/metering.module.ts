import { Module } from '@nestjs/common';
import { MetersRepository } from './meters.repository.js';
import { SessionsRepository } from './sessions.repository.js';

@Module({
  providers: [MetersRepository, SessionsRepository],
  exports: [MetersRepository, SessionsRepository],
})
export class MeteringModule {}
