import { Module } from '@nestjs/common';
import { AccountsRepository } from './accounts.repository.js';
import { ClassroomsRepository } from './classrooms.repository.js';

@Module({
  providers: [AccountsRepository, ClassroomsRepository],
  exports: [AccountsRepository, ClassroomsRepository],
})
export class AccountsModule {}
