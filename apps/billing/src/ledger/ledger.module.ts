import { Module } from '@nestjs/common';
import { LedgerRepository } from './ledger.repository.js';
import { PostEntries } from './post-entries.js';

@Module({
  providers: [LedgerRepository, PostEntries],
  exports: [LedgerRepository, PostEntries],
})
export class LedgerModule {}
