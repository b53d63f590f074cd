import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerRepository } from './ledger.repository.js';
import { PostEntries } from './post-entries.js';

@Module({
  imports: [AccountsModule],
  providers: [LedgerRepository, PostEntries],
  exports: [LedgerRepository, PostEntries],
})
export class LedgerModule {}
