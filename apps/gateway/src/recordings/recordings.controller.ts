import { Controller } from '@nestjs/common';
import {
  AppError,
  classroomRpc,
  downloadRecordings,
  listRecordings,
  recordingRpc,
  startRecording,
  startRecordingInClass,
  stopRecording,
  stopRecordingInClass,
  type ClassroomCaller,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { CallingOrganization, CallingParticipant, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class RecordingsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
  ) {}

  @Endpoint(startRecording)
  async start(
    @CallingOrganization() { organizationId, branding }: Organization,
    @Input() { params, body }: EndpointInput<typeof startRecording>,
  ) {
    const input = { organizationId, roomId: params.roomId, options: body.options, logoUrl: branding.logoUrl ?? null };
    return success(await this.rpc.call(recordingRpc.start, input), 'Recording started');
  }

  @Endpoint(stopRecording)
  async stop(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, body }: EndpointInput<typeof stopRecording>,
  ) {
    return success(await this.rpc.call(recordingRpc.stop, { organizationId, roomId: params.roomId, ...body }), 'Recording stopped');
  }

  @Endpoint(listRecordings)
  async list(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof listRecordings>,
  ) {
    return success(await this.rpc.call(recordingRpc.list, { organizationId, roomId: params.roomId }), 'Recordings');
  }

  @Endpoint(downloadRecordings)
  async download(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof downloadRecordings>,
  ) {
    return success(await this.rpc.call(recordingRpc.download, { organizationId, roomId: params.roomId }), 'Download links');
  }

  @Endpoint(startRecordingInClass)
  async startInClass(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof startRecordingInClass>) {
    const room = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'startRecording' });
    const organization = await this.organizations.find(room.organizationId);
    if (!organization) throw new AppError('UNAUTHORIZED');
    const logoUrl = organization.branding.logoUrl ?? null;
    return success(await this.rpc.call(recordingRpc.start, { ...room, options: body.options, logoUrl }), 'Recording started');
  }

  @Endpoint(stopRecordingInClass)
  async stopInClass(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof stopRecordingInClass>) {
    const room = await this.rpc.call(classroomRpc.authorize, { caller, permission: 'stopRecording' });
    return success(await this.rpc.call(recordingRpc.stop, { ...room, ...body }), 'Recording stopped');
  }
}
