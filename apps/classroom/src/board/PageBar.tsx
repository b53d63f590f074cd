import { ChevronLeft, ChevronRight, EllipsisVertical, Eraser, FilePlus2, FileText, Maximize, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Confirm } from '@classroom/page/Dialog';
import { useClassroom } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { Menu, MenuItem } from '../ui/Menu.js';
import type { viewedPage } from './board.js';
import type { Template } from './class-board.js';
import { loadDocuments } from './load-documents.js';
import { useBoard } from './use-board.js';

interface Props {
  viewed: ReturnType<typeof viewedPage>;
  onFit(): void;
}

/** Leads to the other pages: who manages the board takes the class along, the others look for themselves. */
export function PageBar({ viewed, onFit }: Props) {
  const { t } = useTranslation('board');
  const { board, view } = useBoard();
  const isAway = viewed !== undefined && !board.manages && viewed.page.pageId !== view.currentPageId && view.currentPageId !== null;
  return (
    <nav className="board-bar" aria-label={t('pages')}>
      <Turn label={t('previous')} action="board-previous" to={viewed?.previous}>
        <ChevronLeft aria-hidden className="mirrored" />
      </Turn>
      <span className="board-place" data-board-place>
        {viewed && t('page', { page: viewed.place, pages: view.pages.length })}
      </span>
      <Turn label={t('next')} action="board-next" to={viewed?.next}>
        <ChevronRight aria-hidden className="mirrored" />
      </Turn>
      {isAway && (
        <button type="button" className="button" data-action="board-back" onClick={() => board.follow()}>
          <Undo2 aria-hidden />
          {t('back')}
        </button>
      )}
      {viewed && (
        <button type="button" className="icon-button" aria-label={t('fit')} title={t('fit')} data-action="board-fit" onClick={onFit}>
          <Maximize aria-hidden />
        </button>
      )}
      {board.manages && <PageMenus pageId={viewed?.page.pageId} />}
    </nav>
  );
}

function Turn({ label, action, to, children }: { label: string; action: string; to: string | undefined; children: React.ReactNode }) {
  const { board } = useBoard();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      disabled={to === undefined}
      data-action={action}
      onClick={() => to !== undefined && void board.goTo(to)}
    >
      {children}
    </button>
  );
}

const TEMPLATES: readonly Template[] = ['blank', 'grid', 'lines', 'music'];

function PageMenus({ pageId }: { pageId: string | undefined }) {
  const { t } = useTranslation('board');
  const { board } = useBoard();
  const { openDialog } = useClassroom();
  const [asked, setAsked] = useState<{ action: 'clear' | 'delete'; pageId: string }>();
  return (
    <>
      <Menu
        label={t('add')}
        action="board-add"
        items={
          <>
            {TEMPLATES.map((template) => (
              <MenuItem key={template} action={`board-add-${template}`} onChoose={() => void board.addPage(template)}>
                {t(`template.${template}`)}
              </MenuItem>
            ))}
            <MenuItem icon={<FileText aria-hidden />} action="board-documents" onChoose={() => openDialog(loadDocuments)}>
              {t('documents')}
            </MenuItem>
          </>
        }
      >
        <FilePlus2 aria-hidden />
      </Menu>
      {pageId !== undefined && (
        <Menu
          label={t('more')}
          action="board-more"
          items={
            <>
              <MenuItem icon={<Eraser aria-hidden />} isDanger action="board-clear" onChoose={() => setAsked({ action: 'clear', pageId })}>
                {t('clear')}
              </MenuItem>
              <MenuItem
                icon={<Trash2 aria-hidden />}
                isDanger
                action="board-delete"
                onChoose={() => setAsked({ action: 'delete', pageId })}
              >
                {t('delete')}
              </MenuItem>
            </>
          }
        >
          <EllipsisVertical aria-hidden />
        </Menu>
      )}
      {asked && (
        <Confirm
          title={t(asked.action === 'clear' ? 'clearing.title' : 'deleting.title')}
          text={t(asked.action === 'clear' ? 'clearing.text' : 'deleting.text')}
          confirmLabel={t(asked.action === 'clear' ? 'clearing.yes' : 'deleting.yes')}
          cancelLabel={t('cancel')}
          action={`board-confirm-${asked.action}`}
          onConfirm={() => void (asked.action === 'clear' ? board.clearPage(asked.pageId) : board.deletePage(asked.pageId))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
