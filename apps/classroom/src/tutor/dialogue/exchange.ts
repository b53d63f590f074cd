import type { TutorTurn } from '@classroom/contracts';
import type { ApiErrorCode } from '@classroom/page/api-error';

/** One of the student's questions with its answer. */
export interface Exchange {
  key: string;
  /** The service's id of the question; undefined until the service has sent it. */
  questionId: string | undefined;
  /** Empty until a spoken question has been transcribed. */
  question: string;
  isSpoken: boolean;
  answer: string;
  state: 'asking' | 'answering' | 'done' | 'stopped' | 'failed';
  failure: ApiErrorCode | undefined;
  /** The teacher was asked to answer and has not done so yet. */
  isForTeacher: boolean;
  /** What a teacher answered in writing. */
  teacherAnswer?: TutorTurn['teacherAnswer'];
}

export const isPending = ({ state }: Exchange) => state === 'asking' || state === 'answering';

/** Merges the service's turns, in their order, with what this page knows of them. Exchanges that the service does not list (yet) follow. */
export function mergeExchanges(known: readonly Exchange[], turns: readonly TutorTurn[]): Exchange[] {
  const matched = new Set<Exchange>();
  const merged = turns.map((turn) => {
    const own =
      known.find(({ questionId }) => questionId === turn.questionId) ??
      known.find((exchange) => !matched.has(exchange) && mayMatch(exchange, turn));
    if (!own) return fromTurn(turn);
    matched.add(own);
    return withTurn(own, turn);
  });
  // The service omits old turns. An exchange after the newest known turn was asked while the service's answer was in transit.
  const newest = known.findLastIndex((exchange) => matched.has(exchange));
  return [...merged, ...known.filter((exchange, i) => !matched.has(exchange) && (exchange.questionId === undefined || i > newest))];
}

function mayMatch(exchange: Exchange, turn: TutorTurn): boolean {
  return exchange.questionId === undefined && !isPending(exchange) && (exchange.question === turn.question || exchange.question === '');
}

function fromTurn({ questionId, question, answer, isForTeacher, teacherAnswer }: TutorTurn): Exchange {
  const own = { isSpoken: false, state: 'done', failure: undefined } as const;
  return { key: questionId, questionId, question, answer, isForTeacher, teacherAnswer, ...own };
}

function withTurn(own: Exchange, turn: TutorTurn): Exchange {
  const { questionId, question, isForTeacher, teacherAnswer } = turn;
  const answer = own.state === 'done' ? turn.answer || own.answer : own.answer;
  return { ...own, questionId, question: own.question || question, answer, isForTeacher, teacherAnswer };
}
