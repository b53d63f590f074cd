import { Controller, Inject } from '@nestjs/common';
import { AppError, classroomRpc, openClassroomSession, type ClassroomCaller } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CONFIG, sealPicture } from '@classroom/platform';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import type { GatewayConfig } from '../config.js';
import { CallingParticipant, Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { ClientAddress } from './client-address.js';
import { JoinHookCheck } from './join-hook-check.js';

@Controller()
export class ClassroomController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
    private readonly joinHook: JoinHookCheck,
  ) {}

  @Endpoint(openClassroomSession)
  async openClassroomSession(@CallingParticipant() caller: ClassroomCaller, @ClientAddress() clientAddress: string | undefined) {
    const organization = await this.organizations.find(caller.organizationId);
    if (!organization) throw new AppError('UNAUTHORIZED');
    // Who is in class stays in it.
    if (organization.closedAt && caller.sessionNumber === null)
      throw new AppError('ADMISSION_REFUSED', { message: 'The school is closed' });
    await this.joinHook.requireAllowed(organization, caller);
    const session = await this.rpc.call(classroomRpc.openSession, { caller, clientAddress });
    const { branding, verifiedDomains } = organization;
    const served = (address: string | null | undefined) => this.addressOf(caller.organizationId, address);
    return success({
      ...session,
      participant: { ...session.participant, photoURL: served(session.participant.photoURL) },
      branding: { ...branding, logoUrl: served(branding.logoUrl) },
      verifiedDomains,
    });
  }

  /** Where the gateway serves a picture, so that no browser of the class opens an address that a school chose. */
  private addressOf(organizationId: string, address: string | null | undefined): string | null {
    const { LIVEKIT_API_SECRET, CLASSROOM_URL } = this.config;
    return address ? new URL(sealPicture(LIVEKIT_API_SECRET, organizationId, address), CLASSROOM_URL).href : null;
  }
}
