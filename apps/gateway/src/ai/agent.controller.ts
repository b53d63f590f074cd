import { Controller, Req, Res } from '@nestjs/common';
import { AppError, agentChat, agentChatStream, agentRpc, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { CallingOrganization, Endpoint, Input, DisconnectSignal } from '../http/endpoint.js';
import { AnswerStream, type Answer } from './answer-stream.js';
import { InputUploads } from './input-uploads.js';
import { NDJSON } from './stream-formats.js';
import { PROVIDER_HEADER, sendAnswer, collectAnswer } from './send-answer.js';

type Body = EndpointInput<typeof agentChat>['body'];

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

  private async openAnswer(organization: Organization, body: Body, isWhole: boolean, disconnected: AbortSignal): Promise<Answer> {
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
