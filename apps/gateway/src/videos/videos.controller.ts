import { Controller } from '@nestjs/common';
import {
  addCaption,
  createVideo,
  deleteVideo,
  getVideoStatus,
  getVideoUrl,
  listVideos,
  publishRecording,
  videoRpc,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class VideosController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(createVideo)
  async create(@CallingOrganization() { organizationId }: Organization, @Input() { body }: EndpointInput<typeof createVideo>) {
    return success(await this.rpc.call(videoRpc.create, { organizationId, ...body }), 'Video created');
  }

  @Endpoint(listVideos)
  async list(@CallingOrganization() { organizationId }: Organization, @Input() { query }: EndpointInput<typeof listVideos>) {
    return success(await this.rpc.call(videoRpc.list, { organizationId, ...query }), 'Videos');
  }

  @Endpoint(deleteVideo)
  async delete(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof deleteVideo>) {
    return success(await this.rpc.call(videoRpc.delete, { organizationId, ...params }), 'Video deleted');
  }

  @Endpoint(getVideoUrl)
  async url(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof getVideoUrl>) {
    return success(await this.rpc.call(videoRpc.url, { organizationId, ...params }));
  }

  @Endpoint(getVideoStatus)
  async status(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof getVideoStatus>) {
    return success(await this.rpc.call(videoRpc.status, { organizationId, ...params }));
  }

  @Endpoint(addCaption)
  async addCaption(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, body }: EndpointInput<typeof addCaption>,
  ) {
    return success(await this.rpc.call(videoRpc.addCaption, { organizationId, ...params, ...body }), 'Captions attached');
  }

  @Endpoint(publishRecording)
  async publish(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof publishRecording>,
  ) {
    return success(await this.rpc.call(videoRpc.publish, { organizationId, ...params }), 'Recording published');
  }
}
