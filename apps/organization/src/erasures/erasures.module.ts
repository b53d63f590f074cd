import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { HistoryModule } from '../history/history.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { CloseOrganization } from './close-organization.js';
import { EraseFromHistory } from './erase-from-history.js';
import { ErasureRecords } from './erasure-records.js';
import { ErasuresRepository } from './erasures.repository.js';
import { FactsProgress } from './facts-progress.js';
import { ReceiptSigner } from './receipt-signer.js';
import { RemoveErased } from './remove-erased.js';
import { RepeatErasures } from './repeat-erasures.js';
import { RequestErasure } from './request-erasure.js';
import { RunErasures } from './run-erasures.js';

@Module({
  imports: [AuditModule, CredentialsModule, ExportsModule, HistoryModule, OrganizationsModule, OutgoingModule],
  providers: [
    CloseOrganization,
    EraseFromHistory,
    ErasureRecords,
    ErasuresRepository,
    FactsProgress,
    ReceiptSigner,
    RemoveErased,
    RepeatErasures,
    RequestErasure,
    RunErasures,
  ],
})
export class ErasuresModule {}
