import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queries } from '../api/queries.js';
import type { ChatMessage } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { CsvButton } from '../parts/CsvButton.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Loaded } from '../parts/Loaded.js';
import { Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

/** What was written in a class. It is read on demand: each request is in the audit log. */
export function ChatPanel({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const path = `/v1/room/${encodeURIComponent(roomId)}/chat`;
  return (
    <Panel title={t('chat.title')} note={t('onDemand')} actions={isShown && <CsvButton path={path} name="chat.csv" />}>
      {isShown ? (
        <Messages roomId={roomId} />
      ) : (
        <button type="button" className="button" data-action="show-chat" onClick={() => setShown(true)}>
          {t('chat.show')}
        </button>
      )}
    </Panel>
  );
}

function Messages({ roomId }: { roomId: string }) {
  const { t, i18n } = useTranslation();
  const { clock } = useFormat();
  const chat = useInfiniteQuery(queries.chat(roomId));
  const columns = useMemo(
    (): Column<ChatMessage>[] => [
      {
        id: 'text',
        header: t('chat.message'),
        width: 'minmax(0, 3fr)',
        cell: ({ text, deletedAt, audience, reports }) => (
          <span className="two-lines">
            <span className={deletedAt ? 'quiet' : 'wrap'}>{deletedAt ? t('chat.deleted') : text}</span>
            {audience && <span className="quiet small">{t('chat.toTeachers')}</span>}
            {reports && <span className="danger-text small">{t('chat.reported', { count: reports })}</span>}
          </span>
        ),
      },
      { id: 'name', header: t('attendance.name'), isDetail: true, cell: ({ name }) => <span className="clip">{name}</span> },
      { id: 'at', header: t('ledger.at'), width: '90px', isDetail: true, cell: ({ sentAt }) => clock(sentAt) },
    ],
    [i18n.language],
  );
  return (
    <Loaded of={chat}>
      {({ pages }) => (
        <DataTable
          name={t('chat.title')}
          rows={pages.flatMap(({ messages }) => messages)}
          idOf={({ id }) => id}
          columns={columns}
          empty={t('chat.none')}
          more={chat}
        />
      )}
    </Loaded>
  );
}
