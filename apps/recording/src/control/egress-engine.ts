import { AppError, egressInfo, type EgressInfo } from '@classroom/contracts';
import { clientCall, durationHistogram, peerOf, signFilmToken } from '@classroom/platform';
import {
  EgressClient,
  EncodedFileOutput,
  EncodedFileType,
  EncodingOptionsPreset,
  S3Upload,
  ServerError,
  type EgressInfo as LiveKitEgressInfo,
} from 'livekit-server-sdk';
import type { RecordingConfig } from '../config.js';
import type { EngineJob, RecordingEngine } from './recording-engine.js';

const duration = durationHistogram('livekit.egress.duration', 'Calls to LiveKit Egress, by method and outcome');
/** Seconds. Without an egress worker LiveKit itself answers only after 21 s. */
const START_TIMEOUT_S = 10;
const CALL_TIMEOUT_S = 4;
const PRESETS = {
  H264_720P_30: EncodingOptionsPreset.H264_720P_30,
  H264_1080P_30: EncodingOptionsPreset.H264_1080P_30,
} as const;

/** LiveKit Egress with our recording page as its template. */
export class EgressEngine implements RecordingEngine {
  private readonly starting: EgressClient;
  private readonly client: EgressClient;

  constructor(private readonly config: RecordingConfig) {
    const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = config;
    const connect = (requestTimeout: number) =>
      new EgressClient(LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { requestTimeout, failover: false });
    this.starting = connect(START_TIMEOUT_S);
    this.client = connect(CALL_TIMEOUT_S);
  }

  newId(): undefined {
    return undefined;
  }

  async start(job: EngineJob): Promise<string> {
    const { sid, options } = job;
    const info = await this.call('StartRoomCompositeEgress', () =>
      this.starting.startRoomCompositeEgress(sid, this.fileOf(job), {
        layout: options.layout,
        audioOnly: options.audioOnly,
        encodingOptions: PRESETS[options.preset],
        customBaseUrl: this.templateOf(job),
      }),
    );
    return info.egressId;
  }

  /** LiveKit Egress makes files of rooms only. */
  merge(): Promise<string> {
    return Promise.reject(new AppError('NOTHING_TO_MERGE'));
  }

  async stop(id: string): Promise<void> {
    try {
      await this.call('StopEgress', () => this.client.stopEgress(id));
    } catch (error) {
      // Not found or precondition failed: the egress has ended, or is already ending.
      if (!(error instanceof AppError) || !['NOT_FOUND', 'ROOM_NOT_LIVE'].includes(error.code)) throw error;
    }
  }

  async describe(id: string): Promise<EgressInfo | undefined> {
    const [info] = await this.call('ListEgress', () => this.client.listEgress({ egressId: id }));
    return info && fromLiveKit(info);
  }

  async find({ sid, objectKey }: Pick<EngineJob, 'sid' | 'objectKey'>): Promise<EgressInfo | undefined> {
    const all = await this.call('ListEgress', () => this.client.listEgress({ roomName: sid }));
    return all.map(fromLiveKit).find((info) => filePathsOf(info).includes(objectKey));
  }

  async ping(): Promise<void> {
    await this.call('ListEgress', () => this.client.listEgress({ roomName: 'RM_health' }));
  }

  /** The address of the recording page. Egress adds the parameters `url`, `token` and `layout`, and keeps the fragment, which no proxy gets. */
  private templateOf({ sid, title, logoPath }: EngineJob): string {
    const page = new URL(this.config.RECORDING_PAGE_URL);
    page.searchParams.set('title', title);
    page.searchParams.set('logo', logoPath);
    page.hash = new URLSearchParams({ board: signFilmToken(this.config.LIVEKIT_API_SECRET, sid) }).toString();
    return page.href;
  }

  private fileOf({ objectKey }: EngineJob): EncodedFileOutput {
    const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_FORCE_PATH_STYLE } = this.config;
    const value = new S3Upload({
      endpoint: S3_ENDPOINT,
      region: S3_REGION,
      bucket: S3_BUCKET,
      ...this.key(),
      forcePathStyle: S3_FORCE_PATH_STYLE,
    });
    return new EncodedFileOutput({
      fileType: EncodedFileType.MP4,
      filepath: objectKey,
      disableManifest: true,
      output: { case: 's3', value },
    });
  }

  /** Without a key Egress uses the credentials of its own environment. */
  private key(): { accessKey?: string; secret?: string } {
    const { EGRESS_S3_ACCESS_KEY_ID, EGRESS_S3_SECRET_ACCESS_KEY, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = this.config;
    if (EGRESS_S3_ACCESS_KEY_ID) return { accessKey: EGRESS_S3_ACCESS_KEY_ID, secret: EGRESS_S3_SECRET_ACCESS_KEY };
    return { accessKey: S3_ACCESS_KEY_ID, secret: S3_SECRET_ACCESS_KEY };
  }

  private call<T>(method: string, work: () => Promise<T>): Promise<T> {
    const attributes = { 'rpc.system': 'twirp', 'rpc.service': 'livekit.Egress', 'rpc.method': method, ...peerOf(this.config.LIVEKIT_URL) };
    return clientCall({ name: `livekit ${method}`, method, attributes, duration, outcomeOf, toError: toAppError }, work);
  }
}

const outcomeOf = (error: unknown) => (error instanceof ServerError ? (error.code ?? String(error.status)) : 'unreachable');

function toAppError(cause: unknown): AppError {
  if (cause instanceof ServerError && cause.status === 404) return new AppError('NOT_FOUND', { cause });
  if (cause instanceof ServerError && (cause.status === 412 || cause.code === 'failed_precondition')) {
    return new AppError('ROOM_NOT_LIVE', { cause });
  }
  // If no egress worker takes the request, LiveKit answers with such an error, or not within our timeout.
  const isBusy = cause instanceof ServerError || (cause instanceof Error && cause.name === 'TimeoutError');
  return new AppError(isBusy ? 'RECORDER_BUSY' : 'SERVICE_UNAVAILABLE', { cause });
}

/** The SDK's protobuf message in the JSON form that webhooks have. */
const fromLiveKit = (info: LiveKitEgressInfo): EgressInfo => egressInfo.parse(info.toJson());

const filePathsOf = ({ fileResults, roomComposite }: EgressInfo): string[] => [
  ...fileResults.map(({ filename }) => filename),
  ...(roomComposite?.fileOutputs ?? []).map(({ filepath }) => filepath),
];
