import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Background, ShutdownDeadline } from './background.js';
import { Clock, ControlledClock, SandboxClock, SystemClock } from './clock.js';
import { CONFIG, type BaseConfig } from './config.js';
import { Dependencies } from './dependencies.js';

@Global()
@Module({})
export class PlatformModule {
  static forRoot(config: BaseConfig): DynamicModule {
    const clock = clockOf(config);
    return {
      module: PlatformModule,
      imports: [DiscoveryModule],
      providers: [{ provide: CONFIG, useValue: config }, { provide: Clock, useValue: clock }, Dependencies, ShutdownDeadline, Background],
      exports: [CONFIG, Clock, Dependencies, ShutdownDeadline, Background],
    };
  }
}

function clockOf({ CLOCK, CLOCK_FILE = '' }: BaseConfig): Clock {
  if (CLOCK === 'sandbox') return SandboxClock.fromFile(CLOCK_FILE);
  return CLOCK === 'controlled' ? new ControlledClock() : new SystemClock();
}
