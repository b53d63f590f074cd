import { Module } from '@nestjs/common';
import { CycleSums } from './cycle-sums.js';
import { ListStatements } from './list-statements.js';
import { StatementsRepository } from './statements.repository.js';
import { WriteStatement } from './write-statement.js';

@Module({
  providers: [CycleSums, ListStatements, StatementsRepository, WriteStatement],
  exports: [CycleSums, WriteStatement],
})
export class CyclesModule {}
