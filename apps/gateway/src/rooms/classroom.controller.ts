import { isIPv4, isIPv6 } from 'node:net';
import { Controller, createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  AppError,
  classroomRpc,
  openClassroomSession,
  organizationRpc,
  roomRpc,
  type ClassroomCaller,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { CallingParticipant, Endpoint, success } from '../http/endpoint.js';
import { ServedPictures } from '../media/picture-proxy.js';

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** The client's address, as far as TRUSTED_PROXIES allows to know it; undefined if it is not an IP address. */
const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext) =>
  normalizeAddress(context.switchToHttp().getRequest<FastifyRequest>().ip),
);

/** One spelling per address: IPv6 in its short form without the zone, IPv4 as such even if an IPv6 socket accepted it. */
export function normalizeAddress(ip: string): string | undefined {
  const [address = ''] = ip.split('%');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high, low] = (MAPPED.exec(short)?.slice(1) ?? []).map((part) => Number.parseInt(part, 16));
  if (high === undefined || low === undefined) return short;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Has the backend of an organization with a join hook asked before a participant joins. */
@Injectable()
export class JoinHookCheck {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * A session that continues is not asked about again: its participant has joined.
   * @throws AppError ADMISSION_REFUSED, SERVICE_UNAVAILABLE
   */
  async requireAllowed(
    { organizationId, joinHook }: { organizationId: string } & Pick<Organization, 'joinHook'>,
    caller: ClassroomCaller,
  ): Promise<void> {
    if (!joinHook || caller.sessionNumber !== null) return;
    const { sid, uid } = caller;
    const { roomId, isOver } = await this.rpc.call(roomRpc.locate, { sid });
    if (isOver) return;
    const asked = this.rpc.call(organizationRpc.askJoinHook, { organizationId, roomId, sid, uid });
    const { isAllowed } = await asked.catch((error: unknown) => {
      if (joinHook.fallback === 'allow' && error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return { isAllowed: true };
      throw error;
    });
    if (!isAllowed) throw new AppError('ADMISSION_REFUSED');
  }
}

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
