import { Module } from '@nestjs/common';
import { BillController } from './bill.controller.js';
import { CsvExport } from './csv-export.js';
import { ReportsController } from './reports.controller.js';

@Module({ controllers: [BillController, ReportsController], providers: [CsvExport] })
export class BillingModule {}
