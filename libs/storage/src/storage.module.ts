import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Dependencies } from '@classroom/platform';
import type { StorageConfig } from './config.js';
import { ObjectStorage } from './object-storage.js';

@Global()
@Module({})
export class StorageModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(ObjectStorage) private readonly storage: ObjectStorage,
    @Inject(Dependencies) private readonly dependencies: Dependencies,
  ) {}

  static forRoot(config: StorageConfig): DynamicModule {
    return {
      module: StorageModule,
      providers: [{ provide: ObjectStorage, useFactory: () => new ObjectStorage(config) }],
      exports: [ObjectStorage],
    };
  }

  onModuleInit(): void {
    this.dependencies.register('s3', () => this.storage.ping(), { required: false });
  }

  onApplicationShutdown(): void {
    this.storage.close();
  }
}
