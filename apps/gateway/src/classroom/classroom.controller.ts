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
    const { branding, verifiedDomains } = organization;
    const served = (address: string | null | undefined) => this.addressOf(caller.organizationId, address);
    const look = { ...branding, logoUrl: served(branding.logoUrl) };
    const session = await this.rpc.call(classroomRpc.openSession, { caller, clientAddress }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'ROOM_NOT_OPEN' ? withLook(error, look) : error;
    });
    return success({
      ...session,
      participant: { ...session.participant, photoURL: served(session.participant.photoURL) },
      branding: look,
      verifiedDomains,
    });
  }

  /** Where the gateway serves a picture, so that no browser of the class opens an address that a school chose. */
  private addressOf(organizationId: string, address: string | null | undefined): string | null {
    const { LIVEKIT_API_SECRET, CLASSROOM_URL } = this.config;
    return address ? new URL(sealPicture(LIVEKIT_API_SECRET, organizationId, address), CLASSROOM_URL).href : null;
  }
}

/** The page that waits until the room opens looks like the class that it waits for. */
function withLook(error: AppError, look: Record<'logoUrl' | 'primaryColor' | 'accentColor', string | null>): AppError {
  const shown = Object.entries(look).flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
  return new AppError(error.code, { message: error.message, details: [...(error.details ?? []), ...shown], cause: error });
}
