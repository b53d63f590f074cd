import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bucket } from '../bucket.js';
import { sleep } from '../eventually.js';
import { postWebhook } from '../livekit/livekit-admin.js';
import { toTwirpJson } from '../livekit/simulator/messages.js';
import { verifyToken, type VideoGrant } from '../livekit/simulator/tokens.js';
import { noResponse, permissionsDenied, PlainError, TwirpError } from '../livekit/simulator/twirp-error.js';
import type { RunningStack } from '../running-stack.js';
import { type EgressEvent, isOver } from './egress-message.js';
import { SimulatedEngine } from './simulated-engine.js';

const PREFIX = '/twirp/livekit.Egress/';

/** The fields of the SDK's request (protobuf's JSON form) that are read here. */
interface Request {
  roomName?: string;
  egressId?: string;
  layout?: string;
  customBaseUrl?: string;
  preset?: string;
  fileOutputs?: { filepath?: string; s3?: S3Upload }[];
}

interface S3Upload {
  accessKey?: string;
  secret?: string;
  region?: string;
  endpoint?: string;
  bucket?: string;
}

/**
 * LiveKit Egress behind its Twirp API. It answers livekit-server-sdk as the unmodified service does, and sends its signed
 * webhooks to the stack's gateway. It uploads to the storage and with the keys in the request.
 */
export class SimulatedEgress extends SimulatedEngine {
  private readonly server: Server;
  private stack: RunningStack | undefined;
  private deliverTo: ((webhook: object) => Promise<void>) | undefined;
  private readonly uploads = new Map<string, S3Upload>();

  private constructor() {
    super();
    this.server = createServer((incoming, outgoing) => {
      this.answer(incoming, outgoing).catch((error: unknown) => refuse(outgoing, error));
    });
  }

  static async listen(): Promise<SimulatedEgress> {
    const egress = new SimulatedEgress();
    await new Promise<void>((resolve) => egress.server.listen(0, '127.0.0.1', resolve));
    return egress;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * The stack whose API key it accepts.
   * @param deliver receives its webhooks; default: the stack's gateway
   */
  attach(stack: RunningStack, deliver = (webhook: object) => toGateway(stack, webhook)): void {
    this.stack = stack;
    this.deliverTo = deliver;
  }

  async close(): Promise<void> {
    this.end();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  override async store(objectKey: string, film: Buffer): Promise<void> {
    const { endpoint = '', region = '', bucket = '', accessKey = '', secret = '' } = this.uploads.get(objectKey) ?? {};
    await new Bucket({ endpoint, region, bucket, accessKeyId: accessKey, secretAccessKey: secret }).put(objectKey, film, 'video/mp4');
  }

  protected override async send(_: EgressEvent, webhook: object): Promise<boolean> {
    await this.deliverTo?.(webhook);
    return this.deliverTo !== undefined;
  }

  protected override changed(): void {
    // Nothing to do: each request checks for a free slot itself.
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.behaviour.isUnreachable) return void incoming.socket.destroy();
    const { url = '', headers } = incoming;
    if (!url.startsWith(PREFIX)) throw new PlainError(404, '404 page not found\n');
    this.authorize(headers.authorization ?? '');
    let body = '';
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk as string;
    const answer = await this.call(url.slice(PREFIX.length), JSON.parse(body) as Request);
    if (answer === undefined) return void incoming.socket.destroy();
    send(outgoing, 200, toTwirpJson(answer));
  }

  /** @throws TwirpError as pkg/service/egress.go does */
  private async call(method: string, request: Request): Promise<object | undefined> {
    const { egressId = '', roomName = '' } = request;
    if (method === 'StartRoomCompositeEgress') return this.start(request);
    if (method === 'ListEgress') {
      const known = this.captures.filter(({ isGone }) => !isGone).map((capture) => capture.toMessage());
      return { items: known.filter((one) => (!egressId || one.egressId === egressId) && (!roomName || one.roomName === roomName)) };
    }
    if (method !== 'StopEgress') throw new PlainError(404, '404 page not found\n');
    const capture = this.find(egressId);
    if (!capture) throw new TwirpError('not_found', 'twirp error unknown: egress does not exist');
    if (isOver(capture.status)) throw new TwirpError('failed_precondition', `egress with status ${capture.status} cannot be stopped`);
    capture.stop();
    return capture.toMessage();
  }

  private async start(request: Request): Promise<object | undefined> {
    const { acceptsAfterMs, refusesAfterMs, losesAnswers } = this.behaviour;
    if (this.isFull) {
      await sleep(refusesAfterMs);
      throw noResponse();
    }
    await sleep(acceptsAfterMs);
    const { filepath: objectKey = '', s3 = {} } = request.fileOutputs?.[0] ?? {};
    this.uploads.set(objectKey, s3);
    const order = { egressId: this.newId(), sid: request.roomName ?? '', objectKey, layout: request.layout ?? '', request };
    const capture = this.begin(order);
    return losesAnswers ? undefined : capture.toMessage();
  }

  private authorize(authorization: string): void {
    const { livekitApiKey = '', livekitApiSecret = '' } = this.stack?.secrets ?? {};
    const { video } = verifyToken(authorization.replace('Bearer ', ''), new Map([[livekitApiKey, livekitApiSecret]]));
    if (!(video as (VideoGrant & { roomRecord?: boolean }) | undefined)?.roomRecord) throw permissionsDenied();
  }
}

/** @throws if the gateway did not store it */
async function toGateway(stack: RunningStack, webhook: object): Promise<void> {
  const status = await postWebhook(stack, webhook);
  if (status >= 500) throw new Error(`the gateway answered ${status}`);
}

function refuse(outgoing: ServerResponse, error: unknown): void {
  if (error instanceof TwirpError) return send(outgoing, error.status, { code: error.code, msg: error.message });
  const status = error instanceof PlainError ? error.status : 500;
  if (!outgoing.destroyed) outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  if (!outgoing.destroyed) outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
