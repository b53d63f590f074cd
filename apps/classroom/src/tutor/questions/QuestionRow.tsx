import { Check, UserRound } from 'lucide-react';
import type { OpenQuestion } from '@classroom/contracts';
import { usePeople, useClassroom } from '../../app/context.js';
import { useTranslation } from '../../i18n/index.js';
import { MessageText } from '../../panels/chat/MessageText.js';
import { Avatar } from '../../panels/parts/Avatar.js';
import { formatWaitingTime } from '../../panels/people/format-waiting-time.js';

interface Props {
  question: OpenQuestion;
  onAnswered(): void;
}

export function QuestionRow({ question: { questionId, studentUid, question, askedAt, reason, frequency }, onAnswered }: Props) {
  const { t, i18n } = useTranslation(['tutor', 'panels']);
  const { sessions } = useClassroom();
  const asker = usePeople(({ people }) => people.find(({ uid }) => uid === studentUid));
  const time = formatWaitingTime(sessions.now() - Date.parse(askedAt), i18n.language);
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
        <button
          type="button"
          className="button tutor-answered"
          aria-label={t('questions.answeredOf', { question })}
          data-action="question-answered"
          // The second click of a double click would hit the next question.
          onClick={({ detail }) => detail < 2 && onAnswered()}
        >
          <Check aria-hidden />
          {t('questions.answered')}
        </button>
      </div>
    </li>
  );
}
