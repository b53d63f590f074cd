import { createHash } from 'node:crypto';
import { Controller, Headers } from '@nestjs/common';
import {
  AppError,
  createRoom,
  deleteRoom,
  getRoomStatus,
  idempotencyKey,
  joinRoom,
  roomRpc,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { PlanGuard } from '../authentication/plan-guard.js';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class RoomsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly planGuard: PlanGuard,
  ) {}

  @Endpoint(createRoom)
  async create(
    @CallingOrganization() organization: Organization,
    @Input() { body }: EndpointInput<typeof createRoom>,
    @Headers('idempotency-key') key: string | undefined,
  ) {
    const idempotency = key === undefined ? undefined : { key: checkedKey(key), bodyHash: hashOf(body) };
    await this.planGuard.require(organization);
    const { organizationId } = organization;
    return success(await this.rpc.call(roomRpc.create, { ...body, organizationId, idempotency }), 'Room created');
  }

  @Endpoint(joinRoom)
  async join(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, body }: EndpointInput<typeof joinRoom>,
  ) {
    const { roomId } = params;
    const { participant } = body;
    return success(await this.rpc.call(roomRpc.join, { organizationId, roomId, participant }), 'Token created');
  }

  @Endpoint(getRoomStatus)
  async status(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof getRoomStatus>,
  ) {
    const status = await this.rpc.call(roomRpc.status, { organizationId, roomId: params.roomId });
    return success(status, status.exists ? 'Room status' : 'Room does not exist');
  }

  @Endpoint(deleteRoom)
  async end(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof deleteRoom>,
  ) {
    return success(await this.rpc.call(roomRpc.end, { organizationId, roomId: params.roomId }), 'Room ended');
  }
}

function checkedKey(key: string): string {
  const parsed = idempotencyKey.safeParse(key);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? 'is not valid';
  throw new AppError('VALIDATION_FAILED', {
    message: `Idempotency-Key: ${message}`,
    details: [{ path: 'Idempotency-Key', message }],
  });
}

/** Of the body as understood, so that another order of unknown fields makes no other request. */
const hashOf = (body: unknown) => createHash('sha256').update(JSON.stringify(body)).digest('hex');
