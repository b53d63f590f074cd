import { Module } from '@nestjs/common';
import { PresetsRepository } from './presets.repository.js';
import { Presets } from './presets.js';

@Module({ providers: [Presets, PresetsRepository], exports: [PresetsRepository] })
export class PresetsModule {}
