import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Empty, Loaded } from '../parts/Loaded.js';
import { useFormat } from '../parts/use-format.js';

/** The closed cycles of a postpaid organization. The PDF files are in its own console. */
export function Statements({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { moment, number, amount } = useFormat();
  const statements = useQuery(queries.organizationStatements(organizationId));
  return (
    <>
      <h3>{t('statements.title')}</h3>
      <Loaded of={statements}>
        {(list) =>
          list.length === 0 ? (
            <Empty>{t('statements.none')}</Empty>
          ) : (
            <ul className="lines">
              {list.map(({ statementId, cycleStart, cycleEnd, creditsConsumed, currency, ...statement }) => (
                <li key={statementId}>
                  <span>{t('statements.cycle', { from: moment(cycleStart), to: moment(cycleEnd) })}</span>
                  <span>{t('creditsOf', { credits: number(creditsConsumed) })}</span>
                  <strong>{amount(statement.amount, currency)}</strong>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
