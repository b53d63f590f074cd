import { Inject, Injectable } from '@nestjs/common';
import { AppError, classroomRpc, tutorRpc, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient, CreditStatusProjection, TextStreams } from '@classroom/messaging';
import { Clock, CONFIG } from '@classroom/platform';
import { AnswerTurn } from '../chats/answer-turn.js';
import { tutorChatName, limitToCapabilities, type TurnContext, type TurnPlan } from '../chats/turn-plan.js';
import { QuestionsRepository, type ClassStudent } from '../chats/questions.repository.js';
import type { AiConfig } from '../config.js';
import { LABELLED_BY_PAGE } from '../models/ai-provider.js';
import { ReadQuestion } from '../inputs/read-question.js';
import { Providers } from '../providers/providers.js';
import { ClassDocuments } from './class-documents.js';
import { ClassInfo, type RoomInfo } from './class-info.js';
import { ClassQuestionsRepository } from './class-questions.repository.js';
import { quotedFromStudents, tutorInstructions } from './class-context.js';
import { Redactor } from './redactor.js';
import { EmbedQuestion } from './embed-question.js';
import { RoomContextsRepository } from './room-contexts.repository.js';

type Question = Omit<RpcInput<typeof tutorRpc.chat>, 'inbox'>;
/** Whether the page around the answer says so if no model is configured. */
type Asked = Question & { isLabelledByPage?: boolean };
type InClass = Omit<RpcInput<typeof tutorRpc.ask>, 'inbox'>;

/** Answers a student's question to the tutor of a class; it comes from the organization's backend or from the class page. */
@Injectable()
export class AskTutor {
  constructor(
    @Inject(CONFIG) private readonly config: AiConfig,
    private readonly rpc: RpcClient,
    private readonly creditStatus: CreditStatusProjection,
    private readonly providers: Providers,
    private readonly readQuestion: ReadQuestion,
    private readonly answerTurn: AnswerTurn,
    private readonly classInfo: ClassInfo,
    private readonly classDocuments: ClassDocuments,
    private readonly contexts: RoomContextsRepository,
    private readonly questions: QuestionsRepository,
    private readonly classQuestions: ClassQuestionsRepository,
    private readonly embedQuestion: EmbedQuestion,
    private readonly clock: Clock,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError the errors of `fromBackend`, and UNAUTHORIZED, ROOM_ENDED */
  @Handles(tutorRpc.ask)
  async fromClass({ inbox, ...input }: RpcInput<typeof tutorRpc.ask>) {
    return this.streams.open(inbox, (signal) => this.answerInClass(input, signal));
  }

  /** @throws AppError INSUFFICIENT_CREDITS, AI_DISABLED, ROOM_NOT_FOUND, VALIDATION_FAILED, PAYLOAD_TOO_LARGE, CHAT_BUSY, AI_UNAVAILABLE */
  @Handles(tutorRpc.chat)
  async fromBackend({ inbox, ...input }: RpcInput<typeof tutorRpc.chat>) {
    return this.streams.open(inbox, (signal) => this.answer(input, signal));
  }

  /** Authorizes within the stream, so that a rejection is the stream's error and the caller waits only once. */
  private async *answerInClass({ caller, ...question }: InClass, signal: AbortSignal): AsyncGenerator<string> {
    const { organizationId, roomId, mayUseAi } = await this.rpc.call(classroomRpc.authorize, { caller });
    if (!mayUseAi) throw new AppError('AI_DISABLED');
    yield* this.answer({ ...question, organizationId, roomId, studentUid: caller.uid, isLabelledByPage: true }, signal);
  }

  private answer(input: Asked, signal: AbortSignal): AsyncGenerator<string> {
    const { organizationId, roomId, studentUid } = input;
    return this.answerTurn.execute(`tutor/${organizationId}/${roomId}/${studentUid}`, (reader) => this.prepare(input, reader), signal);
  }

  private async prepare(asked: Asked, signal: AbortSignal): Promise<TurnPlan> {
    const { organizationId, roomId, studentUid, text, audio, isLabelledByPage = false, ...options } = asked;
    const [ai] = await Promise.all([this.providers.forOrganization(organizationId), this.creditStatus.requireCredits(organizationId)]);
    const room = await this.classInfo.room(organizationId, roomId, studentUid);
    if (!room.mayUseAi) throw new AppError('AI_DISABLED');
    const possibleOptions = limitToCapabilities(options, ai.provider);
    const input = await this.readQuestion.execute(organizationId, { text, audio }, signal);
    const student: ClassStudent = { organizationId, sid: room.sid, studentUid };
    return {
      chat: tutorChatName(organizationId, studentUid, { sid: room.sid, roomId }),
      ai,
      input,
      options: possibleOptions,
      usesNoAnswerMarker: true,
      context: (question) => this.context(student, room, question, isLabelledByPage && ai.provider.isOffline),
      onOpened: (tx, turn) => this.questions.add(tx, student, turn),
      onEnded: (tx, turn) => this.questions.recordAnswer(tx, turn),
      afterEnd: (turn) => this.embedQuestion.embedAfter(ai, student, turn),
    };
  }

  private async context(student: ClassStudent, room: RoomInfo, question: string, isLabelled: boolean): Promise<TurnContext> {
    const { organizationId, sid } = student;
    const [known, { topic, notes }, documents, asked, earlier] = await Promise.all([
      this.classInfo.redactor(organizationId, sid),
      this.contexts.find(organizationId, sid),
      this.classDocuments.of(organizationId, room.roomId),
      this.classQuestions.askedByOthers(student),
      this.classQuestions.askedEarlier(student),
    ]);
    const knowledge = { room, topic, notes, documents, asked: known ? asked : null, earlier, question, now: this.clock.now() };
    const redactor = known ?? new Redactor([], []);
    const { AI_CONTEXT_TOKENS: tokens } = this.config;
    const instructions = tutorInstructions(knowledge, redactor, tokens);
    return {
      instructions: isLabelled ? `${instructions}\n${LABELLED_BY_PAGE}` : instructions,
      quoted: quotedFromStudents(knowledge, redactor, tokens),
    };
  }
}
