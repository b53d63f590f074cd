import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Explanation } from '../parts/Explanation.js';
import { Loaded, Page } from '../parts/Page.js';

const route = getRouteApi('/operator/organizations/$organizationId/ledger/$entryId');

export function EntryPage() {
  const { t } = useTranslation();
  const { organizationId, entryId } = route.useParams();
  const organization = useQuery(queries.organization(organizationId));
  const explained = useQuery(queries.organizationEntry(organizationId, entryId));
  const kind = explained.data?.entry.kind;
  const back = (
    <Link to="/operator/organizations/$organizationId" params={{ organizationId }}>
      {organization.data?.name ?? organizationId}
    </Link>
  );
  return (
    <Page title={kind ? t(`ledger.kinds.${kind}`) : t('ledger.entry')} actions={back}>
      <Loaded of={explained}>{(data) => <Explanation explained={data} isRoomLinked={false} />}</Loaded>
    </Page>
  );
}
