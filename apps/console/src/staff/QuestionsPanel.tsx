import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Loaded } from '../parts/Loaded.js';
import { Panel } from '../parts/Page.js';

/** What a class asked its tutor. It is read on demand: a model may summarize it, and each request is in the audit log. */
export function QuestionsPanel({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <Panel title={t('questions.title')} note={`${t('onDemand')} ${t('questions.note')}`}>
      {isShown ? (
        <Questions roomId={roomId} />
      ) : (
        <button type="button" className="button" data-action="show-questions" onClick={() => setShown(true)}>
          {t('questions.show')}
        </button>
      )}
    </Panel>
  );
}

function Questions({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const questions = useQuery(queries.questions(roomId));
  return (
    <Loaded of={questions}>
      {({ summary, topQueries }) =>
        topQueries.length === 0 ? (
          <p className="state quiet">{t('questions.none')}</p>
        ) : (
          <>
            <p>{summary}</p>
            <ol className="lines">
              {topQueries.map(({ question, answer, frequency }) => (
                <li key={question}>
                  <strong className="wrap">{question}</strong>
                  {frequency > 1 && <span className="quiet">{t('questions.times', { count: frequency })}</span>}
                  <span className="quiet wide wrap">{answer}</span>
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Loaded>
  );
}
