import { Controller, Req, Res } from '@nestjs/common';
import { agentChat, agentChatStream, agentRpc, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { AnswerStream, type Answer } from './answer-stream.js';
import { HangUp } from './hang-up.js';
import { InputClaims } from './input-claims.js';
import { NDJSON } from './ndjson.js';
import { PROVIDER_HEADER, sendAnswer } from './send-answer.js';
import { wholeAnswer } from './whole-answer.js';

type Body = EndpointInput<typeof agentChat>['body'];

@Controller()
export class AgentController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly answers: AnswerStream,
    private readonly claims: InputClaims,
  ) {}

  @Endpoint(agentChat)
  async chat(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof agentChat>,
    @HangUp() hangUp: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { begun, text, audio, usage, message } = await wholeAnswer(await this.ask(organizationId, body, true, hangUp));
    reply.header(PROVIDER_HEADER, begun.provider);
    return { success: true as const, message, text, audio, dialogIndex: begun.dialogIndex, usage };
  }

  @Endpoint(agentChatStream)
  async stream(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof agentChatStream>,
    @HangUp() hangUp: AbortSignal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(request, reply, await this.ask(organizationId, body, false, hangUp), NDJSON);
  }

  private async ask(organizationId: string, body: Body, isWhole: boolean, hangUp: AbortSignal): Promise<Answer> {
    const { chatId, message, voiceName, imageMimeType: mimeType = '' } = body;
    const { audio, image } = await this.claims.leave(organizationId, { audio: body.audio, image: body.image }, hangUp);
    const responseModality = body.responseType ?? body.responseModality ?? 'both';
    const inputs = { audio, image: image && { ...image, mimeType } };
    return this.answers.open(agentRpc.chat, { organizationId, chatId, message, voiceName, ...inputs, isWhole, responseModality }, hangUp);
  }
}
