import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock, ControlledClock, SystemClock } from './clock.js';
import type { BaseConfig } from './config.js';
import { Dependencies } from './dependencies.js';

/** The process's configuration, typed by each app's own `config.ts`. */
export const CONFIG = Symbol('CONFIG');

@Global()
@Module({})
export class PlatformModule {
  static forRoot(config: BaseConfig): DynamicModule {
    const clock = config.CLOCK === 'controlled' ? new ControlledClock() : new SystemClock();
    return {
      module: PlatformModule,
      providers: [{ provide: CONFIG, useValue: config }, { provide: Clock, useValue: clock }, Dependencies],
      exports: [CONFIG, Clock, Dependencies],
    };
  }
}
