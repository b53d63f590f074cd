import { Module } from '@nestjs/common';
import { BillController } from './bill.controller.js';
import { CsvExport } from './csv-export.js';
import { ReportsController } from './reports.controller.js';
import { StatementPrinter } from './statement-printer.js';

@Module({ controllers: [BillController, ReportsController], providers: [CsvExport, StatementPrinter] })
export class BillingModule {}
