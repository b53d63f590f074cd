import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CycleSumsRepository } from './cycle-sums.repository.js';
import { GetStatement } from './get-statement.js';
import { ListStatements } from './list-statements.js';
import { StatementPartsRepository } from './statement-parts.repository.js';
import { StatementsRepository } from './statements.repository.js';
import { WriteStatement } from './write-statement.js';

@Module({
  imports: [AccountsModule],
  providers: [CycleSumsRepository, GetStatement, ListStatements, StatementPartsRepository, StatementsRepository, WriteStatement],
  exports: [CycleSumsRepository, StatementsRepository, WriteStatement],
})
export class CyclesModule {}
