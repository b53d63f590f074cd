import { Controller } from '@nestjs/common';
import { tutorRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler, TextStreams } from '@classroom/messaging';
import { AskTutor } from './ask-tutor.js';
import { Dialogue } from './dialogue.js';
import { OpenQuestions } from './open-questions.js';
import { RoomContexts } from './room-contexts.js';
import { SummarizeClass } from './summarize-class.js';
import { TutorUsage } from './tutor-usage.js';

@Controller()
export class TutorRpc {
  constructor(
    private readonly askTutor: AskTutor,
    private readonly ownDialogue: Dialogue,
    private readonly waiting: OpenQuestions,
    private readonly contexts: RoomContexts,
    private readonly summarizeClass: SummarizeClass,
    private readonly tutorUsage: TutorUsage,
    private readonly streams: TextStreams,
  ) {}

  @RpcHandler(tutorRpc.chat)
  async chat({ inbox, ...input }: RpcInput<typeof tutorRpc.chat>) {
    return this.streams.open(inbox, (signal) => this.askTutor.fromBackend(input, signal));
  }

  @RpcHandler(tutorRpc.ask)
  async ask({ inbox, ...input }: RpcInput<typeof tutorRpc.ask>) {
    return this.streams.open(inbox, (signal) => this.askTutor.fromClass(input, signal));
  }

  @RpcHandler(tutorRpc.summary)
  async summary(input: RpcInput<typeof tutorRpc.summary>) {
    return this.summarizeClass.execute(input);
  }

  @RpcHandler(tutorRpc.usage)
  async usage(input: RpcInput<typeof tutorRpc.usage>) {
    return this.tutorUsage.total(input);
  }

  @RpcHandler(tutorRpc.costs)
  async costs(input: RpcInput<typeof tutorRpc.costs>) {
    return this.tutorUsage.costs(input);
  }

  @RpcHandler(tutorRpc.setContext)
  async setContext(input: RpcInput<typeof tutorRpc.setContext>) {
    return this.contexts.set(input);
  }

  @RpcHandler(tutorRpc.dialogue)
  async dialogue({ caller }: RpcInput<typeof tutorRpc.dialogue>) {
    return this.ownDialogue.execute(caller);
  }

  @RpcHandler(tutorRpc.openQuestions)
  async openQuestions({ caller }: RpcInput<typeof tutorRpc.openQuestions>) {
    return this.waiting.list(caller);
  }

  @RpcHandler(tutorRpc.askTeacher)
  async askTeacher({ caller, questionId }: RpcInput<typeof tutorRpc.askTeacher>) {
    return this.waiting.askTeacher(caller, questionId);
  }

  @RpcHandler(tutorRpc.resolveQuestion)
  async resolveQuestion({ caller, questionId }: RpcInput<typeof tutorRpc.resolveQuestion>) {
    return this.waiting.resolve(caller, questionId);
  }
}
