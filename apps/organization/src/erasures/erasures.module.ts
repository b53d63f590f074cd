import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { HistoryModule } from '../history/history.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { EraseFromHistory } from './erase-from-history.js';
import { FactsProgress } from './facts-progress.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ReceiptSigner } from './receipt-signer.js';
import { RequestErasure } from './request-erasure.js';
import { RunErasures } from './run-erasures.js';

@Module({
  imports: [ExportsModule, HistoryModule, OutgoingModule],
  providers: [EraseFromHistory, ErasuresRepository, FactsProgress, ReceiptSigner, RequestErasure, RunErasures],
})
export class ErasuresModule {}
