import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link, Outlet } from '@tanstack/react-router';
import type { AuditFilters, DeliveryStatus, LedgerFilters, RoomFilters } from './api/queries.js';
import { isDay, isMonth } from './staff/days.js';
import { useTranslation } from './i18n/index.js';
import { Failure, Page } from './parts/Page.js';
import { StaffShell } from './parts/Shell.js';
import { Overview } from './staff/Overview.js';

const ROOM_STATES = ['created', 'live', 'finished'] as const;
const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
const ENTRY_KINDS = ['OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT', 'AI_USAGE'] as const;
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined => values.find((it) => it === value);
// The router reads a number from an address as a number.
const textOf = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);

const root = createRootRoute({ component: Outlet, notFoundComponent: UnknownStaffPage });
const staff = createRoute({ getParentRoute: () => root, id: 'staff', component: StaffShell });
const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  notFoundComponent: () => <NotFound home="/operator" />,
  component: lazyRouteComponent(() => import('./operator/OperatorShell.js'), 'OperatorShell'),
});

const staffPages = [
  createRoute({ getParentRoute: () => staff, path: '/', component: Overview }),
  createRoute({
    getParentRoute: () => staff,
    path: '/rooms',
    validateSearch: ({ status, title, startedFrom, startedTo }): RoomFilters => ({
      status: oneOf(ROOM_STATES, status),
      title: textOf(title),
      startedFrom: isDay(startedFrom) ? startedFrom : undefined,
      startedTo: isDay(startedTo) ? startedTo : undefined,
    }),
    component: lazyRouteComponent(() => import('./staff/Rooms.js'), 'Rooms'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/rooms/$roomId',
    component: lazyRouteComponent(() => import('./staff/Room.js'), 'Room'),
  }),
  createRoute({ getParentRoute: () => staff, path: '/videos', component: lazyRouteComponent(() => import('./staff/Videos.js'), 'Videos') }),
  createRoute({
    getParentRoute: () => staff,
    path: '/usage',
    validateSearch: ({ month, day }): { month?: string | undefined; day?: string | undefined } => ({
      month: isMonth(month) ? month : undefined,
      day: isDay(day) ? day : undefined,
    }),
    component: lazyRouteComponent(() => import('./staff/UsagePage.js'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/ledger',
    validateSearch: ({ kind, roomId }): LedgerFilters => ({ kind: oneOf(ENTRY_KINDS, kind), roomId: textOf(roomId) }),
    component: lazyRouteComponent(() => import('./staff/Ledger.js'), 'Ledger'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/ledger/$entryId',
    component: lazyRouteComponent(() => import('./staff/Ledger.js'), 'LedgerEntry'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/branding',
    component: lazyRouteComponent(() => import('./staff/BrandingPage.js'), 'BrandingPage'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/retention',
    component: lazyRouteComponent(() => import('./staff/RetentionPage.js'), 'RetentionPage'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/integration',
    component: lazyRouteComponent(() => import('./staff/Integration.js'), 'Integration'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/integration/$endpointId',
    validateSearch: ({ status }): { status?: DeliveryStatus | undefined } => ({ status: oneOf(DELIVERY_STATES, status) }),
    component: lazyRouteComponent(() => import('./staff/Deliveries.js'), 'Deliveries'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/audit',
    validateSearch: ({ operation, actor }): AuditFilters => ({ operation: textOf(operation), actor: textOf(actor) }),
    component: lazyRouteComponent(() => import('./staff/Audit.js'), 'Audit'),
  }),
] as const;

const operatorPages = [
  createRoute({
    getParentRoute: () => operator,
    path: '/',
    component: lazyRouteComponent(() => import('./operator/Organizations.js'), 'Organizations'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/new',
    component: lazyRouteComponent(() => import('./operator/OrganizationForm.js'), 'NewOrganization'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/organizations/$organizationId',
    component: lazyRouteComponent(() => import('./operator/OrganizationPage.js'), 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/organizations/$organizationId/ledger/$entryId',
    component: lazyRouteComponent(() => import('./operator/EntryPage.js'), 'EntryPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/system',
    component: lazyRouteComponent(() => import('./operator/SystemPage.js'), 'SystemPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/dead-letters',
    component: lazyRouteComponent(() => import('./operator/DeadLetters.js'), 'DeadLetters'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/dead-letters/$deadLetterId',
    component: lazyRouteComponent(() => import('./operator/DeadLetters.js'), 'DeadLetterPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([staff.addChildren(staffPages), operator.addChildren(operatorPages)]),
  basepath: '/console',
  defaultErrorComponent: ({ error }) => <Failure error={error} />,
});

function UnknownStaffPage() {
  return (
    <StaffShell>
      <NotFound home="/" />
    </StaffShell>
  );
}

function NotFound({ home }: { home: '/' | '/operator' }) {
  const { t } = useTranslation();
  return (
    <Page title={t('notFound')}>
      <p className="quiet">{t('notFoundText')}</p>
      <p>
        <Link to={home}>{t('notFoundHome')}</Link>
      </p>
    </Page>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
