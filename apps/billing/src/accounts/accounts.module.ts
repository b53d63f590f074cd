import { Module } from '@nestjs/common';
import { AccountsRepository } from './accounts.repository.js';
import { Classrooms } from './classrooms.js';

@Module({
  providers: [AccountsRepository, Classrooms],
  exports: [AccountsRepository, Classrooms],
})
export class AccountsModule {}
