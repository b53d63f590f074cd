import { Module } from '@nestjs/common';
import { DeleteExports } from './delete-exports.js';
import { ExportedRepository } from './exported.repository.js';
import { ExportsRepository } from './exports.repository.js';
import { RequestExport } from './request-export.js';
import { RunExports } from './run-exports.js';
import { WriteExport } from './write-export.js';

@Module({
  providers: [DeleteExports, ExportedRepository, ExportsRepository, RequestExport, RunExports, WriteExport],
  exports: [ExportsRepository],
})
export class ExportsModule {}
