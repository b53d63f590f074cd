import { Module } from '@nestjs/common';
import { CONFIG, Outbound } from '@classroom/platform';
import { AuditModule } from '../audit/audit.module.js';
import type { OrganizationConfig } from '../config.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ChangeEndpoint } from './change-endpoint.js';
import { CreateEndpoint } from './create-endpoint.js';
import { EndpointAddress } from './endpoint-address.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { FindEndpoints } from './find-endpoints.js';
import { ResealSecrets } from './reseal-secrets.js';
import { SigningSecrets } from './signing-secrets.js';

@Module({
  imports: [AuditModule, OrganizationsModule],
  providers: [
    { provide: Outbound, inject: [CONFIG], useFactory: (config: OrganizationConfig) => new Outbound(config) },
    ChangeEndpoint,
    CreateEndpoint,
    EndpointAddress,
    EndpointsRepository,
    FindEndpoints,
    ResealSecrets,
    SigningSecrets,
  ],
  exports: [Outbound, EndpointAddress, EndpointsRepository, SigningSecrets],
})
export class EndpointsModule {}
