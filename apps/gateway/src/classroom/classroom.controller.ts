import { Controller } from '@nestjs/common';
import { AppError, classroomRpc, openClassroomSession, type ClassroomCaller } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { CallingParticipant, Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { ClientAddress } from './client-address.js';

@Controller()
export class ClassroomController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
  ) {}

  @Endpoint(openClassroomSession)
  async openClassroomSession(@CallingParticipant() caller: ClassroomCaller, @ClientAddress() clientAddress: string | undefined) {
    const session = await this.rpc.call(classroomRpc.openSession, { caller, clientAddress });
    const organization = await this.organizations.find(caller.organizationId);
    if (!organization) throw new AppError('UNAUTHORIZED');
    return success({ ...session, branding: organization.branding, verifiedDomains: organization.verifiedDomains });
  }
}
