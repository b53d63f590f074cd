import { Injectable } from '@nestjs/common';
import { AppError, organizationRpc, roomRpc, type ClassroomCaller, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';

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
