import { Module } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ChangeApiKey } from './change-api-key.js';
import { CreateApiKey } from './create-api-key.js';
import { ListApiKeys } from './list-api-keys.js';
import { UseApiKey } from './use-api-key.js';

@Module({ providers: [ApiKeysRepository, ChangeApiKey, CreateApiKey, ListApiKeys, UseApiKey] })
export class ApiKeysModule {}
