import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { boot, NestLogger, type BaseConfig } from '@classroom/platform';
import { RpcServer } from './rpc/server.js';

/** The whole main.ts of a service: configuration, container, RPC if the role includes it, probes, drain. */
export function bootService<C extends BaseConfig>(readConfig: () => C, module: (config: C) => DynamicModule): void {
  void boot(readConfig, async (config) => {
    const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(module(config), {
      inject: [RpcServer],
      useFactory: (server: RpcServer) => ({ strategy: server }),
      logger: new NestLogger(),
      abortOnError: false,
    } as AsyncMicroserviceOptions);
    await app.listen();
    return app;
  });
}
