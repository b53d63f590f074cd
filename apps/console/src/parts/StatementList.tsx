import { useMutation } from '@tanstack/react-query';
import { download } from '../api/client.js';
import type { Usage } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Failure } from './Loaded.js';
import { useFormat } from './use-format.js';

interface StatementListProps {
  statements: Usage['statements'];
  /** The path below which each statement is a PDF file. */
  path: string;
}

/** The closed cycles of a postpaid plan, each with its PDF file in the language of the page. */
export function StatementList({ statements, path }: StatementListProps) {
  const { t } = useTranslation();
  const { moment, number, amount, language } = useFormat();
  const file = useMutation({
    mutationFn: ({ statementId, cycleStart }: Usage['statements'][number]) =>
      download(`${path}/${statementId}/pdf?language=${language === 'de' ? 'de' : 'en'}`, `statement-${cycleStart.slice(0, 10)}.pdf`),
  });
  return (
    <>
      <ul className="lines">
        {statements.map((statement) => {
          const cycle = t('statements.cycle', { from: moment(statement.cycleStart), to: moment(statement.cycleEnd) });
          return (
            <li key={statement.statementId}>
              <span>{cycle}</span>
              <span>{t('creditsOf', { count: statement.creditsConsumed, credits: number(statement.creditsConsumed) })}</span>
              <strong>{amount(statement.amount, statement.currency)}</strong>
              <button
                type="button"
                className="button"
                data-action="statement-pdf"
                aria-label={`PDF, ${cycle}`}
                disabled={file.isPending}
                onClick={() => file.mutate(statement)}
              >
                PDF
              </button>
            </li>
          );
        })}
      </ul>
      {file.error && <Failure error={file.error} />}
    </>
  );
}
