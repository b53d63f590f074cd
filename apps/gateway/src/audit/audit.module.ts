import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { AuditTrail } from './audit-trail.js';

@Module({ imports: [AuthenticationModule], providers: [AuditTrail], exports: [AuditTrail] })
export class AuditModule {}
