import { Controller } from '@nestjs/common';
import { videoRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { AddCaption } from '../captions/add-caption.js';
import { CreateVideo } from './create-video.js';
import { DeleteVideo } from './delete-video.js';
import { DescribeVideo } from './describe-video.js';
import { ListVideos } from './list-videos.js';
import { PublishRecording } from './publish-recording.js';

@Controller()
export class VideosRpc {
  constructor(
    private readonly createVideo: CreateVideo,
    private readonly listVideos: ListVideos,
    private readonly deleteVideo: DeleteVideo,
    private readonly describeVideo: DescribeVideo,
    private readonly captions: AddCaption,
    private readonly publishRecording: PublishRecording,
  ) {}

  @RpcHandler(videoRpc.create)
  async create(input: RpcInput<typeof videoRpc.create>) {
    return this.createVideo.execute(input);
  }

  @RpcHandler(videoRpc.list)
  async list(input: RpcInput<typeof videoRpc.list>) {
    return this.listVideos.execute(input);
  }

  @RpcHandler(videoRpc.delete)
  async delete(input: RpcInput<typeof videoRpc.delete>) {
    return this.deleteVideo.execute(input);
  }

  @RpcHandler(videoRpc.url)
  async url(input: RpcInput<typeof videoRpc.url>) {
    return this.describeVideo.url(input);
  }

  @RpcHandler(videoRpc.status)
  async status(input: RpcInput<typeof videoRpc.status>) {
    return this.describeVideo.status(input);
  }

  @RpcHandler(videoRpc.addCaption)
  async addCaption(input: RpcInput<typeof videoRpc.addCaption>) {
    return this.captions.execute(input);
  }

  @RpcHandler(videoRpc.publish)
  async publish(input: RpcInput<typeof videoRpc.publish>) {
    return this.publishRecording.execute(input);
  }
}
