import { Check, Reply, UserRound } from 'lucide-react';
import { useRef, useState } from 'react';
import type { OpenQuestion } from '@classroom/contracts';
import { usePeople, useClassroom } from '../../app/context.js';
import { useTranslation } from '../../i18n/index.js';
import { MessageText } from '../../panels/chat/MessageText.js';
import { Avatar } from '../../panels/parts/Avatar.js';
import { useDraft } from '../../panels/parts/use-draft.js';
import { formatWaitingTime } from '../../panels/people/format-waiting-time.js';
import { AnswerField } from './AnswerField.js';

interface Props {
  question: OpenQuestion;
  /** Without an answer in writing, it was given in class. Resolves with whether the class has it. */
  onAnswered(answer?: string): Promise<boolean>;
}

export function QuestionRow({ question: { questionId, studentUid, question, askedAt, reason, frequency }, onAnswered }: Props) {
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
