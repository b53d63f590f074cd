import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useMutation, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Download } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';
import { Empty, Failure } from './Page.js';
import { download } from '../api/client.js';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});

export interface Column<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Width in the grid of a wide page. Default: `minmax(0, 1fr)`. */
  width?: string;
  /** Numbers stand at the end. */
  isNumber?: boolean;
  /** A phone shows this column below the first one. */
  isDetail?: boolean;
  /** What the column sorts by. Without it, the order is the service's. */
  sortBy?: (row: T) => string | number;
}

type NextPage = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'>;

interface DataTableProps<T> {
  name: string;
  rows: readonly T[];
  idOf: (row: T) => string;
  columns: readonly Column<T>[];
  empty: ReactNode;
  more?: NextPage | undefined;
}

/** Height of a row in pixels, before it is measured. */
const ROW_HEIGHT = 52;

/** A table in which only the rows in view exist. With `more`, scrolling to its end, or the button there, reads the next page. */
export function DataTable<T extends object>({ name, rows, idOf, columns, empty, more }: DataTableProps<T>) {
  const { t } = useTranslation();
  const definitions = useMemo(() => columns.map((column) => toDefinition(column)), [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns: definitions, data, getRowId: idOf });
  const sorted = table.getRowModel().rows;

  const body = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // What is above the table loads, and changes its height, at any time.
  useLayoutEffect(() => {
    const { current } = body;
    const page = current?.closest('main');
    if (!page) return undefined;
    const measure = new ResizeObserver(() => setScrollMargin(current?.offsetTop ?? 0));
    measure.observe(page);
    return () => measure.disconnect();
  }, [rows.length > 0]);
  const virtualizer = useWindowVirtualizer({ count: sorted.length, estimateSize: () => ROW_HEIGHT, overscan: 12, scrollMargin });
  const visible = virtualizer.getVirtualItems();

  const isAtEnd = (visible.at(-1)?.index ?? 0) >= sorted.length - 1;
  useEffect(() => {
    // After a failure the reader decides when to try again.
    const canRead = more?.hasNextPage && !more.isFetchingNextPage && !more.isFetchNextPageError;
    if (isAtEnd && rows.length > 0 && canRead) void more.fetchNextPage();
  }, [isAtEnd, rows.length, more]);

  if (rows.length === 0) return <Empty>{empty}</Empty>;
  const byId = new Map(columns.map((column) => [column.id, column]));
  const style = { '--columns': columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ') } as CSSProperties;
  return (
    <>
      <div className="table" role="table" aria-label={name} aria-rowcount={more?.hasNextPage ? -1 : sorted.length + 1} style={style}>
        <div role="rowgroup">
          <div className="table-row table-head" role="row" aria-rowindex={1}>
            {table.getHeaderGroups()[0]?.headers.map(({ column }) => (
              <Header key={column.id} column={byId.get(column.id)} direction={column.getIsSorted()} toggle={() => column.toggleSorting()} />
            ))}
          </div>
        </div>
        <div ref={body} className="table-body" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
          {visible.map(({ index, start }) => {
            const row = sorted[index];
            if (!row) return undefined;
            return (
              <div
                key={row.id}
                ref={virtualizer.measureElement}
                data-index={index}
                data-row={row.id}
                className="table-row"
                role="row"
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${start - scrollMargin}px)` }}
              >
                {columns.map(({ id, header, cell, isNumber, isDetail }) => (
                  <div key={id} role="cell" className="cell" data-number={isNumber} data-detail={isDetail} data-name={header}>
                    {cell(row.original)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {more?.isFetchNextPageError && <Failure error={more.error} />}
      {more?.hasNextPage && (
        <button
          type="button"
          className="button more"
          data-action="more"
          disabled={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t(more.isFetchingNextPage ? 'loading' : 'more')}
        </button>
      )}
    </>
  );
}

interface HeaderProps<T> {
  column: Column<T> | undefined;
  direction: false | 'asc' | 'desc';
  toggle(): void;
}

function Header<T>({ column, direction, toggle }: HeaderProps<T>) {
  if (!column) return undefined;
  const { header, isNumber, isDetail, sortBy } = column;
  const shared = { role: 'columnheader', className: 'cell', 'data-number': isNumber, 'data-detail': isDetail };
  if (!sortBy) return <div {...shared}>{header}</div>;
  const sorted = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none';
  return (
    <div {...shared} aria-sort={sorted}>
      <button type="button" className="sort" onClick={toggle}>
        {header}
        {direction === 'asc' && <ArrowUp aria-hidden />}
        {direction === 'desc' && <ArrowDown aria-hidden />}
      </button>
    </div>
  );
}

function toDefinition<T extends object>({ id, header, sortBy }: Column<T>): ColumnDef<typeof features, T> {
  const accessorFn = (row: T) => sortBy?.(row) ?? '';
  return { id, header, accessorFn, enableSorting: sortBy !== undefined, sortFn: 'alphanumeric' };
}

/** Saves a CSV file. Excel recognizes its mark as UTF-8. @param query of the list, without what asks for the file */
export function CsvButton({ path, query, name }: { path: string; query?: Record<string, string | undefined>; name: string }) {
  const { t } = useTranslation();
  const file = useMutation({
    mutationFn: () => {
      const given = Object.entries(query ?? {}).flatMap(([key, value]) => (value ? [[key, value]] : []));
      return download(`${path}?${new URLSearchParams([...given, ['export', 'csv'], ['bom', 'true']])}`, name);
    },
  });
  return (
    <>
      <button type="button" className="button" data-action="csv" disabled={file.isPending} onClick={() => file.mutate()}>
        <Download aria-hidden />
        {t('csv')}
      </button>
      {file.error && <Failure error={file.error} />}
    </>
  );
}
