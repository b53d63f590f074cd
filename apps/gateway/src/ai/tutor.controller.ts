import { Controller, Req, Res } from '@nestjs/common';
import { AppError, tutorChat, tutorChatStream, tutorRpc, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { AnswerStream, type Answer } from './answer-stream.js';
import { HangUp } from './hang-up.js';
import { InputClaims } from './input-claims.js';
import { PROVIDER_HEADER, sendAnswer } from './send-answer.js';
import { SSE } from './sse.js';
import { wholeAnswer } from './whole-answer.js';

type Body = EndpointInput<typeof tutorChat>['body'];

@Controller()
export class TutorController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly answers: AnswerStream,
    private readonly claims: InputClaims,
  ) {}

  @Endpoint(tutorChat)
  async chat(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof tutorChat>,
    @HangUp() hangUp: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { begun, text, audio, usage, message } = await wholeAnswer(await this.ask(organizationId, body, true, hangUp));
    reply.header(PROVIDER_HEADER, begun.provider);
    const { requestModality, responseModality } = begun;
    const { inputTokens, outputTokens } = usage;
    return { success: true as const, message, text, audio, usage: { inputTokens, outputTokens }, requestModality, responseModality };
  }

  @Endpoint(tutorChatStream)
  async stream(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof tutorChatStream>,
    @HangUp() hangUp: AbortSignal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(request, reply, await this.ask(organizationId, body, false, hangUp), SSE);
  }

  private async ask(organizationId: string, body: Body, isWhole: boolean, hangUp: AbortSignal): Promise<Answer> {
    if (body.organizationId !== organizationId) throw new AppError('UNAUTHORIZED');
    const { audio } = await this.claims.leave(organizationId, { audio: body.audio }, hangUp);
    return this.answers.open(tutorRpc.chat, { ...body, audio, isWhole }, hangUp);
  }
}
