import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Empty, Loaded } from '../parts/Loaded.js';
import { StatementList } from '../parts/StatementList.js';

/** The closed cycles of a postpaid organization. */
export function Statements({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const statements = useQuery(queries.organizationStatements(organizationId));
  const path = `/v1/admin/organizations/${encodeURIComponent(organizationId)}/statements`;
  return (
    <>
      <h3>{t('statements.title')}</h3>
      <Loaded of={statements}>
        {(list) => (list.length === 0 ? <Empty>{t('statements.none')}</Empty> : <StatementList statements={list} path={path} />)}
      </Loaded>
    </>
  );
}
