import { Module } from '@nestjs/common';
import { CycleSums } from './cycle-sums.js';
import { StatementsRpc } from './statements.rpc.js';
import { WriteStatement } from './write-statement.js';

@Module({
  controllers: [StatementsRpc],
  providers: [CycleSums, WriteStatement],
  exports: [CycleSums, WriteStatement],
})
export class CyclesModule {}
