import { Controller, Req, Res } from '@nestjs/common';
import { askTutorInClass, tutorRpc, type ClassroomCaller, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallingParticipant, Endpoint, Input, DisconnectSignal } from '../http/endpoint.js';
import { PersonLimit } from '../limits/rate-limit.js';
import { AnswerStream } from './answer-stream.js';
import { InputUploads } from './input-uploads.js';
import { sendAnswer } from './send-answer.js';
import { CLASSROOM_SSE } from './stream-formats.js';

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
