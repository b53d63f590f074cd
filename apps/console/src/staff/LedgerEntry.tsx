import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Explanation } from '../parts/Explanation.js';
import { Loaded, Page } from '../parts/Page.js';

const route = getRouteApi('/staff/ledger/$entryId');

export function LedgerEntry() {
  const { t } = useTranslation();
  const { entryId } = route.useParams();
  const explained = useQuery(queries.explained(entryId));
  const { kind, roomId, recordedAt } = explained.data?.entry ?? {};
  const names = useQuery(queries.names(roomId ?? '', roomId ? recordedAt : undefined));
  return (
    <Page title={kind ? t(`ledger.kinds.${kind}`) : t('ledger.entry')} actions={<Link to="/ledger">{t('ledger.back')}</Link>}>
      <Loaded of={explained}>{(data) => <Explanation explained={data} isRoomLinked names={names.data} />}</Loaded>
    </Page>
  );
}
