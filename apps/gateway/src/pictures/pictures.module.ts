import { Module } from '@nestjs/common';
import { PictureProxy } from './picture-proxy.js';
import { ServedPictures } from './served-pictures.js';
import { UploadedLogos } from './uploaded-logos.js';

@Module({ providers: [PictureProxy, ServedPictures, UploadedLogos], exports: [ServedPictures, UploadedLogos] })
export class PicturesModule {}
