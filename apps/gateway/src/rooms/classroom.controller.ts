import { Controller } from '@nestjs/common';
import { AppError, classroomRpc, openClassroomSession, type ClassroomCaller } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { CallingParticipant, Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { ServedPictures } from '../media/served-pictures.js';
import { ClientAddress } from './client-address.js';
import { JoinHookCheck } from './join-hook-check.js';

@Controller()
export class ClassroomController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
    private readonly joinHook: JoinHookCheck,
    private readonly pictures: ServedPictures,
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
    const served = (address: string | null | undefined) => this.pictures.addressOf(caller.organizationId, address);
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
}

/** The page that waits until the room opens looks like the class that it waits for. */
function withLook(error: AppError, look: Record<'logoUrl' | 'primaryColor' | 'accentColor', string | null>): AppError {
  const shown = Object.entries(look).flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
  return new AppError(error.code, { message: error.message, details: [...(error.details ?? []), ...shown], cause: error });
}
