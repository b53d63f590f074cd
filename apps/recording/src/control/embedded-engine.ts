import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AppError,
  captureSubject,
  egressInfo,
  healthRpc,
  recorderRpc,
  type EgressInfo,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { NoRespondersError, RpcClient } from '@classroom/messaging';
import { signFilmToken } from '@classroom/platform';
import { AccessToken } from 'livekit-server-sdk';
import type { RecordingConfig } from '../config.js';
import type { EngineJob, MergeJob, RecordingEngine } from './recording-engine.js';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const ID_LENGTH = 14;
/** For all recorders together that are asked one after the other. */
const START_TIMEOUT_MS = 3_000;
const RETRY_DELAY_MS = 40;

/** Our own recorders over NATS: each listens for jobs only while it has a free slot. */
export class EmbeddedEngine implements RecordingEngine {
  constructor(
    private readonly config: RecordingConfig,
    private readonly rpc: RpcClient,
  ) {}

  newId(): string {
    return `EG_${Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
  }

  async start(job: EngineJob, id = this.newId()): Promise<string> {
    const { sid, title, logoPath, options, objectKey } = job;
    const { LIVEKIT_PUBLIC_URL, RECORDING_PAGE_URL } = this.config;
    return this.dispatch(recorderRpc.start, {
      egressId: id,
      sid,
      title,
      objectKey,
      livekitUrl: LIVEKIT_PUBLIC_URL,
      pageUrl: RECORDING_PAGE_URL,
      token: await signRecorderToken(this.config, sid, id),
      boardToken: signFilmToken(this.config.LIVEKIT_API_SECRET, sid),
      logoUrl: logoPath,
      layout: options.layout,
      preset: options.preset,
      audioOnly: options.audioOnly,
    });
  }

  merge({ sid, options, objectKey, parts, startedAt, endedAt }: MergeJob, id = this.newId()): Promise<string> {
    const { layout, preset, audioOnly } = options;
    const job = { egressId: id, sid, objectKey, layout, preset, audioOnly, parts, startedAt, endedAt };
    return this.dispatch(recorderRpc.merge, job);
  }

  /**
   * Gives the job to a recorder. A recorder refuses a job if another one reached it at the same time, or if it is draining;
   * then another recorder may be free. Recorders subscribe only while they have a free slot.
   * @throws AppError RECORDER_BUSY immediately if no recorder subscribes, or if all refuse until the timeout
   */
  private async dispatch<C extends typeof recorderRpc.start | typeof recorderRpc.merge>(contract: C, job: RpcRequest<C>): Promise<string> {
    const until = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        return (await this.rpc.call(contract, job, until - Date.now())).egressId;
      } catch (error) {
        if (error instanceof AppError && error.cause instanceof NoRespondersError) throw new AppError('RECORDER_BUSY', { cause: error });
        if (!isRefusal(error)) throw error;
        if (until - Date.now() <= RETRY_DELAY_MS) throw new AppError('RECORDER_BUSY', { cause: error });
        await pause(RETRY_DELAY_MS);
      }
    }
  }

  async stop(id: string): Promise<void> {
    await this.callRecorder(recorderRpc.stop, id);
  }

  async describe(id: string): Promise<EgressInfo | undefined> {
    const answer = await this.callRecorder(recorderRpc.describe, id);
    return answer === undefined ? undefined : egressInfo.parse(answer.egressInfo);
  }

  find(_: Pick<EngineJob, 'sid' | 'objectKey'>, id: string | undefined): Promise<EgressInfo | undefined> {
    return id === undefined ? Promise.resolve(undefined) : this.describe(id);
  }

  async ping(): Promise<void> {
    await this.rpc.call(healthRpc('recorder'), {}, 1_000);
  }

  /** Calls the recorder on the capture's own subject. Undefined if no recorder subscribes to it: then no recorder has the capture. */
  private async callRecorder<C extends typeof recorderRpc.stop | typeof recorderRpc.describe>(
    contract: C,
    id: string,
  ): Promise<RpcOutput<C> | undefined> {
    const own: C = { ...contract, subject: captureSubject(contract, id) };
    try {
      return await this.rpc.call(own, { egressId: id } as RpcRequest<C>);
    } catch (error) {
      if (error instanceof AppError && (error.code === 'RECORDING_NOT_FOUND' || error.cause instanceof NoRespondersError)) return undefined;
      throw error;
    }
  }
}

/** Whether a recorder itself refused. An error without an answer has a cause, and the recording may have started. */
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined;

/**
 * Until the page has joined, which takes 30 s at most, with clocks that differ. LiveKit renews the token at once and every five minutes, for ten, and the page reconnects
 * with the renewed one, also after LiveKit restarted.
 */
const TOKEN_SECONDS = 5 * 60;

/** The holder sees and hears everyone, is hidden, and takes no place in a full class (LiveKit's kind EGRESS). */
function signRecorderToken(
  { LIVEKIT_API_KEY, LIVEKIT_API_SECRET }: Pick<RecordingConfig, 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET'>,
  sid: string,
  identity: string,
): Promise<string> {
  const token = new AccessToken(LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { identity, ttl: TOKEN_SECONDS });
  token.kind = 'egress';
  token.addGrant({
    room: sid,
    roomJoin: true,
    hidden: true,
    recorder: true,
    canSubscribe: true,
    canPublish: false,
    canPublishData: false,
    canUpdateOwnMetadata: false,
  });
  return token.toJwt();
}
