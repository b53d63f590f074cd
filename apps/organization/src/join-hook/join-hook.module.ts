import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AskJoinHook } from './ask-join-hook.js';
import { JoinHooks } from './join-hooks.js';

@Module({ imports: [AuditModule, EndpointsModule, OrganizationsModule], providers: [AskJoinHook, JoinHooks] })
export class JoinHookModule {}
