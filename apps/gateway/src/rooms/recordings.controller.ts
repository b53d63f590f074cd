import { Controller } from '@nestjs/common';
import {
  AppError,
  classroomRpc,
  pauseRecording,
  pauseRecordingInClass,
  resumeRecording,
  resumeRecordingInClass,
  startRecording,
  startRecordingInClass,
  stopRecording,
  stopRecordingInClass,
  type ClassroomCaller,
  type EndpointInput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { CallingParticipant, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class RecordingsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
  ) {}

  @Endpoint(startRecordingInClass)
  async startRecordingInClass(
    @CallingParticipant() caller: ClassroomCaller,
    @Input() { body }: EndpointInput<typeof startRecordingInClass>,
  ) {
    const { organizationId, roomId } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'startRecording' });
    const organization = await this.organizations.find(organizationId);
    if (!organization) throw new AppError('UNAUTHORIZED');
    const logoUrl = organization.branding.logoUrl ?? null;
    return success(await this.rpc.call(startRecording, { organizationId, roomId, options: body.options, logoUrl }), 'Recording started');
  }

  @Endpoint(stopRecordingInClass)
  async stopRecordingInClass(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof stopRecordingInClass>) {
    const { organizationId, roomId } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'stopRecording' });
    return success(await this.rpc.call(stopRecording, { organizationId, roomId, ...body }), 'Recording stopped');
  }

  @Endpoint(pauseRecordingInClass)
  async pauseRecordingInClass(@CallingParticipant() caller: ClassroomCaller) {
    const { organizationId, roomId } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'stopRecording' });
    return success(await this.rpc.call(pauseRecording, { organizationId, roomId }), 'Recording paused');
  }

  @Endpoint(resumeRecordingInClass)
  async resumeRecordingInClass(@CallingParticipant() caller: ClassroomCaller) {
    const { organizationId, roomId } = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'startRecording' });
    return success(await this.rpc.call(resumeRecording, { organizationId, roomId }), 'Recording resumed');
  }
}
