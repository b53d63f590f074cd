import { useEffect, useId, useRef } from 'react';
import { useClassroom } from '../../app/context.js';
import { useTranslation } from '../../i18n/index.js';
import { FailureLine } from '../../panels/parts/FailureLine.js';
import { useRerenderEvery } from '../../panels/parts/use-rerender-every.js';
import { Unavailable } from '../Unavailable.js';
import { QuestionRow } from './QuestionRow.js';
import { useOpenQuestions } from './use-open-questions.js';

const TICK_MS = 10_000;

/** The questions that the tutor leaves to the teacher. */
export function QuestionsPanel() {
  const { t } = useTranslation('tutor');
  const { openQuestions } = useClassroom();
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
