import { Module } from '@nestjs/common';
import { DecodingModule } from '../decoding/decoding.module.js';
import { InputsSweep } from './inputs-sweep.js';
import { Inputs } from './inputs.js';
import { ReadQuestion } from './read-question.js';

@Module({
  imports: [DecodingModule],
  providers: [Inputs, InputsSweep, ReadQuestion],
  exports: [ReadQuestion],
})
export class InputsModule {}
