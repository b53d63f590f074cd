import { Module } from '@nestjs/common';
import { ChangeCredentials } from './change-credentials.js';
import { CredentialsRepository } from './credentials.repository.js';
import { FindCredentials } from './find-credentials.js';

@Module({ providers: [ChangeCredentials, CredentialsRepository, FindCredentials], exports: [CredentialsRepository] })
export class CredentialsModule {}
