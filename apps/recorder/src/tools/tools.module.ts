import { Module } from '@nestjs/common';
import { Tools } from './tools.js';

@Module({
  providers: [Tools],
  exports: [Tools],
})
export class ToolsModule {}
