import { Module } from '@nestjs/common';
import { RosterRepository } from './roster.repository.js';

@Module({ providers: [RosterRepository], exports: [RosterRepository] })
export class RosterModule {}
