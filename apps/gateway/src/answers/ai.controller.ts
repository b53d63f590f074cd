import { Controller, Req, Res } from '@nestjs/common';
import {
  agentChat,
  agentChatStream,
  agentRpc,
  AppError,
  askTutorInClass,
  tutorChat,
  tutorChatStream,
  tutorRpc,
  type ClassroomCaller,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CredentialDirectory } from '../authentication/credential-directory.js';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { CallingOrganization, CallingParticipant, DisconnectSignal, Endpoint, Input } from '../http/endpoint.js';
import { PersonLimit } from '../limits/rate-limit.js';
import { AnswerStream, CLASSROOM_SSE, collectAnswer, NDJSON, PROVIDER_HEADER, sendAnswer, SSE, type Answer } from './send-answer.js';
import { InputUploads } from './input-uploads.js';

type AgentQuestion = EndpointInput<typeof agentChat>['body'];

@Controller()
export class AgentController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly answers: AnswerStream,
    private readonly uploads: InputUploads,
    private readonly organizations: OrganizationDirectory,
  ) {}

  @Endpoint(agentChat)
  async agentChat(
    @CallingOrganization() organization: Organization,
    @Input() { body }: EndpointInput<typeof agentChat>,
    @DisconnectSignal() disconnected: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { begun, text, audio, usage, message } = await collectAnswer(await this.openAnswer(organization, body, true, disconnected));
    reply.header(PROVIDER_HEADER, begun.provider);
    return { success: true as const, message, text, audio, dialogIndex: begun.dialogIndex, usage };
  }

  @Endpoint(agentChatStream)
  async agentChatStream(
    @CallingOrganization() organization: Organization,
    @Input() { body }: EndpointInput<typeof agentChatStream>,
    @DisconnectSignal() disconnected: AbortSignal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(request, reply, await this.openAnswer(organization, body, false, disconnected), NDJSON);
  }

  private async openAnswer(organization: Organization, body: AgentQuestion, isWhole: boolean, disconnected: AbortSignal): Promise<Answer> {
    const { organizationId } = organization;
    if (!organization.consent.ai) await this.requireAi(organizationId);
    const { chatId, participantUid, message, voiceName, imageMimeType: mimeType = '' } = body;
    const { audio, image } = await this.uploads.uploadInputs(organizationId, { audio: body.audio, image: body.image }, disconnected);
    const responseModality = body.responseType ?? body.responseModality ?? 'both';
    const inputs = { audio, image: image && { ...image, mimeType } };
    return this.answers.open(
      agentRpc.chat,
      { organizationId, chatId, participantUid, message, voiceName, ...inputs, isWhole, responseModality },
      disconnected,
    );
  }

  /** The cached organization may be old. @throws AppError AI_DISABLED */
  private async requireAi(organizationId: string): Promise<void> {
    const current = await this.organizations.findFresh(organizationId);
    if (current?.consent?.ai === false) throw new AppError('AI_DISABLED');
  }
}

type Body = EndpointInput<typeof tutorChat>['body'];

@Controller()
export class TutorController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly answers: AnswerStream,
    private readonly uploads: InputUploads,
    private readonly credentials: CredentialDirectory,
  ) {}

  @Endpoint(tutorChat)
  async tutorChat(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof tutorChat>,
    @DisconnectSignal() disconnected: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { begun, text, audio, usage, message } = await collectAnswer(await this.openAnswer(organizationId, body, true, disconnected));
    reply.header(PROVIDER_HEADER, begun.provider);
    const { requestModality, responseModality } = begun;
    const { inputTokens, outputTokens } = usage;
    return { success: true as const, message, text, audio, usage: { inputTokens, outputTokens }, requestModality, responseModality };
  }

  @Endpoint(tutorChatStream)
  async tutorChatStream(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof tutorChatStream>,
    @DisconnectSignal() disconnected: AbortSignal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(request, reply, await this.openAnswer(organizationId, body, false, disconnected), SSE);
  }

  private async openAnswer(organizationId: string, body: Body, isWhole: boolean, disconnected: AbortSignal): Promise<Answer> {
    await this.requireOwn(organizationId, body.organizationId);
    const { audio } = await this.uploads.uploadInputs(organizationId, { audio: body.audio }, disconnected);
    return this.answers.open(tutorRpc.chat, { ...body, organizationId, audio, isWhole }, disconnected);
  }

  /** The body repeats the caller's value of VF-ORG-ID; a caller with an API key may name its organization's id. @throws AppError UNAUTHORIZED */
  private async requireOwn(organizationId: string, named: string): Promise<void> {
    if (named !== organizationId && !(await this.credentials.isOf(organizationId, named))) throw new AppError('UNAUTHORIZED');
  }
}

/** The tutor from within the class. The services decide who may do what. */
@Controller()
export class ClassroomTutorController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly answers: AnswerStream,
    private readonly uploads: InputUploads,
    private readonly limit: PersonLimit,
  ) {}

  @Endpoint(askTutorInClass)
  async askTutorInClass(
    @CallingParticipant() caller: ClassroomCaller,
    @Input() { body }: EndpointInput<typeof askTutorInClass>,
    @DisconnectSignal() disconnected: AbortSignal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.limit.take('questions', caller, reply);
    const { audio } = await this.uploads.uploadInputs(caller.organizationId, { audio: body.audio }, disconnected);
    sendAnswer(
      request,
      reply,
      await this.answers.open(tutorRpc.ask, { caller, ...body, audio, isWhole: false }, disconnected),
      CLASSROOM_SSE,
    );
  }
}
