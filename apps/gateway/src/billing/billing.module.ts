import { Module } from '@nestjs/common';
import { CsvExport } from './csv-export.js';
import { ReportsController } from './reports.controller.js';

@Module({ controllers: [ReportsController], providers: [CsvExport] })
export class BillingModule {}
