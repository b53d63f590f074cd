import { Module } from '@nestjs/common';
import { CycleSumsRepository } from './cycle-sums.repository.js';
import { ListStatements } from './list-statements.js';
import { StatementsRepository } from './statements.repository.js';
import { WriteStatement } from './write-statement.js';

@Module({
  providers: [CycleSumsRepository, ListStatements, StatementsRepository, WriteStatement],
  exports: [CycleSumsRepository, StatementsRepository, WriteStatement],
})
export class CyclesModule {}
