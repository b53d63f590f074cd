import { Module } from '@nestjs/common';
import { CopiesRepository } from './copies.repository.js';

@Module({ providers: [CopiesRepository], exports: [CopiesRepository] })
export class CopiesModule {}
