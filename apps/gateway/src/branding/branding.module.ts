import { Module } from '@nestjs/common';
import { PicturesModule } from '../pictures/pictures.module.js';
import { BrandingController } from './branding.controller.js';

@Module({ imports: [PicturesModule], controllers: [BrandingController] })
export class BrandingModule {}
