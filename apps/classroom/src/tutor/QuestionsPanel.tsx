import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { useClassroom, usePart, usePeople } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { FailureLine } from '../ui/action.js';
import { useRerenderEvery, useDraft } from '../ui/panel-context.js';
import { Unavailable } from './Unavailable.js';
import { ClassQuestions, useOpenQuestions } from './open-questions.js';
import { Check, Reply, UserRound } from 'lucide-react';
import type { OpenQuestion } from '@classroom/contracts';
import { MessageText } from '../chat/Message.js';
import { Avatar } from '../ui/Avatar.js';
import { formatWaitingTime } from '../people/people-rows.js';
import { remainingCharacters, useGrowing } from '../ui/MessageField.js';
import { isVisible, toSent } from '../ui/visible.js';

const TICK_MS = 10_000;

/** The questions that the tutor leaves to the teacher. */
export function QuestionsPanel() {
  const { t } = useTranslation('tutor');
  const openQuestions = usePart(ClassQuestions);
  const { questions, isLoaded, failure, resolveFailure } = useOpenQuestions();
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => openQuestions.openList(), [openQuestions]);
  useRerenderEvery(TICK_MS);
  const resolve = (questionId: string, answer?: string) => {
    // The focus moves to the list, because the button disappears with its question.
    list.current?.focus();
    return openQuestions.resolve(questionId, answer);
  };
  return (
    <div className="tutor-panel">
      <div className="chat-scroll" ref={list} tabIndex={0} role="region" aria-labelledby={titleId}>
        <h3 className={questions.length > 0 ? 'tutor-heading' : 'unseen'} id={titleId}>
          {t('questions.title', { count: questions.length })}
        </h3>
        {failure && questions.length === 0 && <Unavailable message={t('questions.unavailable')} onRetry={() => openQuestions.refresh()} />}
        {!isLoaded && !failure && <p className="panel-empty tutor-loading">{t('loading')}</p>}
        {isLoaded && !failure && questions.length === 0 && <p className="panel-empty">{t('questions.empty')}</p>}
        <ul className="tutor-questions">
          {questions.map((question) => (
            <QuestionRow key={question.questionId} question={question} onAnswered={(answer) => resolve(question.questionId, answer)} />
          ))}
        </ul>
      </div>
      <FailureLine code={resolveFailure} />
    </div>
  );
}

interface QuestionRowProps {
  question: OpenQuestion;
  /** Without an answer in writing, it was given in class. Resolves with whether the class has it. */
  onAnswered(answer?: string): Promise<boolean>;
}

export function QuestionRow({ question: { questionId, studentUid, question, askedAt, reason, frequency }, onAnswered }: QuestionRowProps) {
  const { t, i18n } = useTranslation(['tutor', 'panels']);
  const { sessions, classStore } = useClassroom();
  const [text, setText] = useDraft(classStore, `answer ${questionId}`, '');
  const [isWriting, setWriting] = useState(text !== '');
  const opener = useRef<HTMLButtonElement>(null);
  const asker = usePeople(({ people }) => people.find(({ uid }) => uid === studentUid));
  const time = formatWaitingTime(sessions.now() - Date.parse(askedAt), i18n.language);
  const stopWriting = () => {
    setText('');
    setWriting(false);
    setTimeout(() => opener.current?.focus());
  };
  const send = async (answer: string) => {
    if (await onAnswered(answer)) setText('');
  };
  return (
    <li className="tutor-waiting" data-question={questionId} data-reason={reason}>
      {asker ? (
        <Avatar uid={studentUid} name={asker.name} photoURL={asker.photoURL} />
      ) : (
        <span className="avatar is-unknown" aria-hidden>
          <UserRound />
        </span>
      )}
      <div className="chat-words">
        <p className="chat-head">
          {/* A student who left the class has no known name. */}
          <bdi className="chat-name">{asker?.name ?? t('questions.unknownStudent')}</bdi>
          {frequency > 1 && <span className="tutor-others">{t('questions.others', { count: frequency - 1 })}</span>}
        </p>
        <MessageText text={question} />
        <p className="tutor-why">
          {t(`questions.reason.${reason}`)} · {time ? t('panels:hands.waiting', { time }) : t('panels:hands.justNow')}
        </p>
        {isWriting ? (
          <AnswerField question={question} text={text} onText={setText} onSend={send} onCancel={() => stopWriting()} />
        ) : (
          <div className="tutor-answering">
            <button
              type="button"
              className="button tutor-answered"
              ref={opener}
              aria-label={t('questions.answerOf', { question })}
              data-action="answer-question"
              onClick={() => setWriting(true)}
            >
              <Reply className="mirrored" aria-hidden />
              {t('questions.answer')}
            </button>
            <button
              type="button"
              className="button tutor-answered"
              aria-label={t('questions.answeredOf', { question })}
              data-action="question-answered"
              // The second click of a double click would hit the next question.
              onClick={({ detail }) => void (detail < 2 && onAnswered())}
            >
              <Check aria-hidden />
              {t('questions.answered')}
            </button>
          </div>
        )}
      </div>
    </li>
  );
}

/** The server's limit, counted in Unicode characters. */
const MAX_LENGTH = 4000;

interface AnswerFieldProps {
  question: string;
  text: string;
  onText(text: string): void;
  onSend(answer: string): Promise<void>;
  onCancel(): void;
}

/** A teacher's answer in writing. */
export function AnswerField({ question, text, onText, onSend, onCancel }: AnswerFieldProps) {
  const { t } = useTranslation(['tutor', 'panels']);
  const area = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  useGrowing(area, text);
  useEffect(() => area.current?.focus(), []);
  const answer = toSent(text);
  const maySend = isVisible(answer) && remainingCharacters(answer, MAX_LENGTH) >= 0;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (maySend) void onSend(answer);
  };
  return (
    <form className="field tutor-answer-field" onSubmit={send}>
      <textarea
        ref={area}
        rows={2}
        dir="auto"
        value={text}
        maxLength={MAX_LENGTH}
        aria-label={t('questions.answerOf', { question })}
        aria-describedby={hintId}
        data-action="answer-text"
        onChange={(event) => onText(event.target.value)}
      />
      <p className="field-hint" id={hintId}>
        {t('questions.answerHint')}
      </p>
      <div className="form-actions">
        <button type="button" className="button" data-action="cancel-answer" onClick={onCancel}>
          {t('panels:cancel')}
        </button>
        <button type="submit" className="button primary" disabled={!maySend} data-action="send-answer">
          {t('questions.sendAnswer')}
        </button>
      </div>
    </form>
  );
}
