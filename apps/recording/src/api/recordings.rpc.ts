import { Controller } from '@nestjs/common';
import { recordingRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { DownloadRecordings } from '../downloads/download-recordings.js';
import { LocateFile } from '../downloads/locate-file.js';
import { ListRecordings } from '../downloads/list-recordings.js';
import { StartRecording } from '../control/start-recording.js';
import { StopRecording } from '../control/stop-recording.js';

@Controller()
export class RecordingsRpc {
  constructor(
    private readonly startRecording: StartRecording,
    private readonly stopRecording: StopRecording,
    private readonly listRecordings: ListRecordings,
    private readonly downloadRecordings: DownloadRecordings,
    private readonly recordingFile: LocateFile,
  ) {}

  @RpcHandler(recordingRpc.start)
  async start(input: RpcInput<typeof recordingRpc.start>) {
    return this.startRecording.execute(input);
  }

  @RpcHandler(recordingRpc.stop)
  async stop(input: RpcInput<typeof recordingRpc.stop>) {
    return this.stopRecording.execute(input);
  }

  @RpcHandler(recordingRpc.list)
  async list(input: RpcInput<typeof recordingRpc.list>) {
    return this.listRecordings.execute(input);
  }

  @RpcHandler(recordingRpc.file)
  async file(input: RpcInput<typeof recordingRpc.file>) {
    return this.recordingFile.execute(input);
  }

  @RpcHandler(recordingRpc.download)
  async download(input: RpcInput<typeof recordingRpc.download>) {
    return this.downloadRecordings.execute(input);
  }
}
