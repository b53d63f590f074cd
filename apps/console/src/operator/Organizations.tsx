import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { fold } from '@classroom/page/fold';
import { queries, type Organization } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Badge, Loaded, Page } from '../parts/Page.js';

const idOf = ({ id, organizationId }: Organization) => id ?? organizationId;

export function Organizations() {
  const { t, i18n } = useTranslation();
  const { moment } = useFormat();
  const [search, setSearch] = useState('');
  const organizations = useInfiniteQuery(queries.organizations);
  const columns = useMemo(
    (): Column<Organization>[] => [
      {
        id: 'name',
        header: t('operator.name'),
        width: 'minmax(0, 2fr)',
        cell: (organization) => (
          <Link to="/operator/organizations/$organizationId" params={{ organizationId: idOf(organization) }} className="row-link">
            <span className="clip">{organization.name}</span>
            <span className="clip quiet small">{idOf(organization)}</span>
          </Link>
        ),
      },
      {
        id: 'plan',
        header: t('operator.plan'),
        width: '140px',
        cell: ({ billing, closedAt }) =>
          closedAt ? <Badge kind="failed">{t('operator.closed')}</Badge> : billing ? t(`operator.plans.${billing.type}`) : '–',
      },
      { id: 'created', header: t('room.created'), isDetail: true, cell: ({ createdAt }) => moment(createdAt) },
    ],
    [i18n.language],
  );
  return (
    <Page
      title={t('operator.organizations')}
      actions={
        <Link to="/operator/new" className="button primary" data-action="new-organization">
          {t('operator.newOrganization')}
        </Link>
      }
    >
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          {t('operator.search')}
          <input type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
        </label>
      </form>
      <Loaded of={organizations}>
        {({ pages }) => (
          <DataTable
            name={t('operator.organizations')}
            rows={pages.flatMap((page) => page.organizations).filter((it) => isFound(it, search))}
            idOf={idOf}
            columns={columns}
            empty={t(search ? 'operator.none' : 'operator.first')}
            more={organizations}
          />
        )}
      </Loaded>
    </Page>
  );
}

const isFound = (organization: Organization, search: string) =>
  [organization.name, idOf(organization)].some((text) => fold(text).includes(fold(search.trim())));
