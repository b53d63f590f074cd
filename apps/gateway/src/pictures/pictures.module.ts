import { Module } from '@nestjs/common';
import { PictureProxy } from './picture-proxy.js';

@Module({ providers: [PictureProxy] })
export class PicturesModule {}
