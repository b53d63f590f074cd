import { useEffect, useId, useRef } from 'react';
import { useVisit } from '../../app/context.js';
import { useTranslation } from '../../i18n/index.js';
import { FailureLine } from '../../panels/parts/FailureLine.js';
import { useTick } from '../../panels/parts/use-tick.js';
import { Away } from '../Away.js';
import { QuestionRow } from './QuestionRow.js';
import { useWaiting } from './use-waiting.js';

const TICK_MS = 10_000;

/** The questions that the tutor leaves to the teacher. */
export function QuestionsPanel() {
  const { t } = useTranslation('tutor');
  const { waiting } = useVisit();
  const { questions, isLoaded, failure, undone } = useWaiting();
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => waiting.open(), [waiting]);
  useTick(TICK_MS);
  const resolve = (questionId: string) => {
    void waiting.resolve(questionId);
    // The focus moves to the list, because the button disappears with its question.
    list.current?.focus();
  };
  return (
    <div className="tutor-panel">
      <div className="chat-scroll" ref={list} tabIndex={0} role="region" aria-labelledby={titleId}>
        <h3 className={questions.length > 0 ? 'tutor-heading' : 'unseen'} id={titleId}>
          {t('questions.title', { count: questions.length })}
        </h3>
        {failure && questions.length === 0 && <Away words={t('questions.away')} onRetry={() => waiting.ask()} />}
        {!isLoaded && !failure && <p className="panel-empty tutor-loading">{t('loading')}</p>}
        {isLoaded && !failure && questions.length === 0 && <p className="panel-empty">{t('questions.empty')}</p>}
        <ul className="tutor-questions">
          {questions.map((question) => (
            <QuestionRow key={question.questionId} question={question} onAnswered={() => resolve(question.questionId)} />
          ))}
        </ul>
      </div>
      <FailureLine code={undone} />
    </div>
  );
}
