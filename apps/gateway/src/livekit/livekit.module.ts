import { Module } from '@nestjs/common';
import { LiveKitWebhooks } from './livekit-webhooks.js';

@Module({ providers: [LiveKitWebhooks] })
export class LiveKitModule {}
