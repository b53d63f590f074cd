import { Module, type DynamicModule } from '@nestjs/common';
import type { AiConfig } from './config.js';

@Module({})
export class AiModule {
  static forRoot(_config: AiConfig): DynamicModule {
    return { module: AiModule };
  }
}
