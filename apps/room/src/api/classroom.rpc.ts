import { Controller } from '@nestjs/common';
import { classroomRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { RemoveParticipant } from '../moderation/remove-participant.js';
import { Authenticate } from '../sessions/authenticate.js';
import { Authorize } from '../sessions/authorize.js';
import { EndClass } from '../lifecycle/end-class.js';
import { OpenSession } from '../sessions/open-session.js';

@Controller()
export class ClassroomRpc {
  constructor(
    private readonly authentication: Authenticate,
    private readonly authorization: Authorize,
    private readonly sessions: OpenSession,
    private readonly classEnd: EndClass,
    private readonly removal: RemoveParticipant,
  ) {}

  @RpcHandler(classroomRpc.authenticate)
  async authenticate(input: RpcInput<typeof classroomRpc.authenticate>) {
    return this.authentication.execute(input);
  }

  @RpcHandler(classroomRpc.openSession)
  async openSession({ caller, clientAddress }: RpcInput<typeof classroomRpc.openSession>) {
    return this.sessions.execute(caller, clientAddress);
  }

  @RpcHandler(classroomRpc.authorize)
  async authorize({ caller, permission }: RpcInput<typeof classroomRpc.authorize>) {
    return this.authorization.execute(caller, permission);
  }

  @RpcHandler(classroomRpc.endClass)
  async endClass({ caller }: RpcInput<typeof classroomRpc.endClass>) {
    return this.classEnd.execute(caller);
  }

  @RpcHandler(classroomRpc.removeParticipant)
  async removeParticipant({ caller, uid }: RpcInput<typeof classroomRpc.removeParticipant>) {
    return this.removal.execute(caller, uid);
  }
}
