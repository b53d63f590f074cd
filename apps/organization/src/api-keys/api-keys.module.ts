import { Module } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysRpc } from './api-keys.rpc.js';
import { ChangeApiKey } from './change-api-key.js';
import { CreateApiKey } from './create-api-key.js';

@Module({
  controllers: [ApiKeysRpc],
  providers: [ApiKeysRepository, ChangeApiKey, CreateApiKey],
})
export class ApiKeysModule {}
