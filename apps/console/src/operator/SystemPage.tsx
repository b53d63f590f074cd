import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queries, type System } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Badge, Empty, Loaded, Page, Panel } from '../parts/Page.js';

type Process = System['processes'][number];

/** What runs, in which version, and what waits. */
export function SystemPage() {
  const { t } = useTranslation();
  const { second } = useFormat();
  const system = useQuery(queries.system);
  const traces = system.data?.tracesUrl;
  return (
    <Page title={t('system.title')} actions={traces && <a href={traces}>{t('system.traces')}</a>}>
      <Loaded of={system}>
        {({ at, processes, missing = [], queues, consumers }) => (
          <>
            <Answers missing={missing} at={second(at)} />
            <Versions processes={processes} missing={missing} />
            <Recorders processes={processes} />
            <Waiting queues={queues} consumers={consumers} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Missing services first: nothing else on the page says that they are. */
function Answers({ missing, at }: { missing: readonly string[]; at: string }) {
  const { t } = useTranslation();
  const asked = <span className="quiet">{t('system.asked', { time: at })}</span>;
  return missing.length === 0 ? (
    <p>
      <Badge kind="healthy">{t('system.complete')}</Badge> {asked}
    </p>
  ) : (
    <div className="alarm" role="alert">
      <p>
        <strong>{t('system.missing', { services: missing.join(', '), count: missing.length })}</strong>
      </p>
      <p>{asked}</p>
    </div>
  );
}

interface Running {
  id: string;
  service: string;
  version: string;
  /** Of processes; 0 for a service that does not answer. */
  count: number;
  since: string;
}

/** The processes of each service and version. */
function Versions({ processes, missing }: { processes: Process[]; missing: readonly string[] }) {
  const { t, i18n } = useTranslation();
  const { number, moment } = useFormat();
  const groups = Map.groupBy(processes, ({ service, version }) => `${service} ${version}`);
  const running = [...groups].map(([id, [first, ...others]]): Running => {
    const { service = '', version = '', startedAt = '' } = first ?? {};
    const since = others.reduce((latest, other) => (other.startedAt > latest ? other.startedAt : latest), startedAt);
    return { id, service, version, count: others.length + 1, since };
  });
  const isSkewed = new Set(running.map(({ version }) => version)).size > 1;
  const absent = missing.map((service): Running => ({ id: service, service, version: '–', count: 0, since: '' }));
  const rows = [...absent, ...running];
  const columns = useMemo(
    (): Column<Running>[] => [
      {
        id: 'service',
        header: t('system.service'),
        cell: ({ service, count }) => (
          <>
            {service} {count === 0 && <Badge kind="failed">{t('system.absent')}</Badge>}
          </>
        ),
      },
      { id: 'version', header: t('system.version'), cell: ({ version }) => version },
      { id: 'count', header: t('system.processes'), width: '110px', isNumber: true, cell: ({ count }) => number(count) },
      { id: 'since', header: t('system.since'), isDetail: true, cell: ({ since }) => (since ? moment(since) : '–') },
    ],
    [i18n.language],
  );
  const badge = <Badge kind={isSkewed ? 'degraded' : 'healthy'}>{t(isSkewed ? 'system.skew' : 'system.oneVersion')}</Badge>;
  return (
    <Panel title={t('system.versions')} actions={badge}>
      <DataTable name={t('system.versions')} rows={rows} idOf={({ id }) => id} columns={columns} empty="" />
    </Panel>
  );
}

function Recorders({ processes }: { processes: Process[] }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const recorders = processes.filter(({ service }) => service === 'recorder');
  return (
    <Panel title={t('system.recorders')}>
      {recorders.length === 0 ? (
        <Empty>{t('system.noRecorders')}</Empty>
      ) : (
        <ul className="lines">
          {recorders.map(({ slots, freeSlots, version, startedAt }, n) => (
            <li key={`${n} ${startedAt}`}>
              <strong>{t('system.slots', { busy: (slots ?? 0) - (freeSlots ?? 0), slots: slots ?? 0 })}</strong>
              <span className="quiet">{version}</span>
              <span className="quiet">{t('system.running', { time: moment(startedAt) })}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Waiting({ queues, consumers }: Pick<System, 'queues' | 'consumers'>) {
  const { t, i18n } = useTranslation();
  const { number, duration } = useFormat();
  const ofQueues = useMemo(
    (): Column<System['queues'][number]>[] => [
      { id: 'queue', header: t('system.queue'), cell: ({ queue }) => queue },
      { id: 'service', header: t('system.service'), isDetail: true, cell: ({ service }) => service },
      {
        id: 'overdue',
        header: t('system.overdue'),
        width: '170px',
        isNumber: true,
        cell: ({ overdueSeconds }) => duration(overdueSeconds),
      },
    ],
    [i18n.language],
  );
  const ofConsumers = useMemo(
    (): Column<System['consumers'][number]>[] => [
      { id: 'consumer', header: t('system.consumer'), cell: ({ consumer }) => consumer },
      { id: 'service', header: t('system.service'), isDetail: true, cell: ({ service }) => service },
      { id: 'waiting', header: t('system.waiting'), width: '110px', isNumber: true, cell: ({ waiting }) => number(waiting) },
      { id: 'oldest', header: t('system.oldest'), width: '170px', isNumber: true, cell: ({ lagSeconds }) => duration(lagSeconds) },
    ],
    [i18n.language],
  );
  return (
    <>
      <Panel title={t('system.queues')} note={t('system.queuesNote')}>
        <DataTable name={t('system.queues')} rows={queues} idOf={({ queue }) => queue} columns={ofQueues} empty={t('system.noQueues')} />
      </Panel>
      <Panel title={t('system.consumers')}>
        <DataTable
          name={t('system.consumers')}
          rows={consumers}
          idOf={({ consumer }) => consumer}
          columns={ofConsumers}
          empty={t('system.noConsumers')}
        />
      </Panel>
    </>
  );
}
