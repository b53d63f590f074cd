import { Module } from '@nestjs/common';
import { DeadLetters } from '@classroom/messaging';
import { AuditModule } from '../audit/audit.module.js';
import { ListDeadLetters } from './list-dead-letters.js';
import { ReplayDeadLetters } from './replay-dead-letters.js';

@Module({ imports: [AuditModule], providers: [DeadLetters, ListDeadLetters, ReplayDeadLetters] })
export class DeadLettersModule {}
