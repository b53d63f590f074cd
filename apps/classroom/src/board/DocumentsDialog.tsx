import { Confirm, Dialog } from '@classroom/page/Dialog';
import { FileText, Trash2, Upload, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type ClassDocument, conversionProblemOf, isUnfinished, type SentFile } from '../documents/class-documents.js';
import { ACCEPTED } from '../documents/file-types.js';
import { addTexts, useTranslation } from '../i18n/index.js';
import { useStore } from '../store.js';
import { FailureLine, useAction } from '../ui/action.js';
import de from './documents.de.json';
import './documents.css';
import en from './documents.en.json';
import { useBoard } from './use-board.js';

addTexts('documents', { en, de });

/** Between two questions for documents that others add, in milliseconds. */
const POLL_MS = 3_000;

/** The documents of the class: adds them, puts them on the board and deletes them. */
export function DocumentsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('documents');
  const { board } = useBoard();
  const { documents, files } = useStore(board.documents, (state) => state);
  const loading = useAction();
  const deleting = useAction();
  const [asked, setAsked] = useState<ClassDocument>();
  const own = new Set(files.map(({ documentId }) => documentId));
  const listed = documents?.filter(({ documentId }) => !own.has(documentId)).toReversed();
  const isWaiting = documents === undefined || documents.some(isUnfinished);
  const { runAction: load } = loading;
  useEffect(() => {
    const refresh = () => void load(() => board.documents.refresh());
    refresh();
    if (!isWaiting) return undefined;
    const timer = setInterval(refresh, POLL_MS);
    return () => clearInterval(timer);
  }, [board, load, isWaiting]);
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <div className="documents" data-documents={documents?.length}>
        {board.managesDocuments && <FileChoice onChoose={(chosen) => board.addFiles(chosen)} />}
        <FailureLine code={(deleting.failure ?? loading.failure)?.code} />
        {files.length > 0 && (
          <ul className="documents-list" aria-label={t('adding')}>
            {files.map((file) => (
              <FileRow key={file.key} file={file} onCancel={() => board.documents.cancel(file.key)} />
            ))}
          </ul>
        )}
        {listed?.length === 0 && files.length === 0 && <p className="quiet">{t('empty')}</p>}
        {listed && listed.length > 0 && (
          <ul className="documents-list" aria-label={t('list')}>
            {listed.map((document) => (
              <DocumentRow key={document.documentId} document={document} onDelete={() => setAsked(document)} onClose={onClose} />
            ))}
          </ul>
        )}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" data-action="documents-close" onClick={onClose}>
          {t('close')}
        </button>
      </div>
      {asked && (
        <Confirm
          title={t('deleting.title', { title: asked.title })}
          text={t('deleting.text')}
          confirmLabel={t('delete')}
          cancelLabel={t('cancel')}
          action="document-confirm-delete"
          onConfirm={() => void deleting.runAction(() => board.documents.delete(asked.documentId))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Dialog>
  );
}

/** A button that opens the system's choice of files, which may also be dropped on it. */
function FileChoice({ onChoose }: { onChoose(files: readonly File[]): void }) {
  const { t } = useTranslation('documents');
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div
      className="documents-choice"
      data-dropping={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChoose([...event.dataTransfer.files]);
      }}
    >
      <button type="button" className="button primary" data-action="documents-choose" onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {t('choose')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        aria-label={t('choose')}
        data-action="documents-file"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <p className="quiet">{t('hint')}</p>
    </div>
  );
}

function FileRow({ file: { title, step, share, problem }, onCancel }: { file: SentFile; onCancel(): void }) {
  const { t } = useTranslation('documents');
  const label = t(step === 'failed' ? 'dismiss' : 'cancelOf', { title });
  return (
    <li className="documents-row" data-file={step}>
      <FileText aria-hidden />
      <div className="documents-words">
        <bdi className="documents-title">{title}</bdi>
        {step !== 'failed' && (
          <progress aria-label={t('progressOf', { title })} {...(step === 'converting' ? {} : { value: share, max: 1 })} />
        )}
        <span className={step === 'failed' ? 'danger-text' : 'quiet'} role="status">
          {step === 'failed' ? t([`problem.${problem}`, 'problem.other']) : t(`step.${step}`)}
        </span>
      </div>
      <button type="button" className="icon-button" aria-label={label} title={label} data-action="document-cancel" onClick={onCancel}>
        <X aria-hidden />
      </button>
    </li>
  );
}

interface RowProps {
  document: ClassDocument;
  onDelete(): void;
  onClose(): void;
}

function DocumentRow({ document, onDelete, onClose }: RowProps) {
  const { t } = useTranslation('documents');
  const { board, view } = useBoard();
  const { documentId, title, status, pages, message } = document;
  const first = view.pages.find((page) => page.documentId === documentId);
  const problem = conversionProblemOf(message);
  const show = () => {
    void (first ? board.goTo(first.pageId) : board.putOnBoard(documentId));
    onClose();
  };
  const label = t('deleteOf', { title });
  return (
    <li className="documents-row" data-document={status}>
      <FileText aria-hidden />
      <div className="documents-words">
        <bdi className="documents-title">{title}</bdi>
        <span className={status === 'failed' ? 'danger-text' : 'quiet'}>
          {status === 'completed' && t('pages', { count: pages ?? 0 })}
          {isUnfinished(document) && t(`status.${status}`)}
          {status === 'failed' && (problem ? t(`conversion.${problem}`) : message)}
        </span>
      </div>
      {status === 'completed' && (
        <button
          type="button"
          className="button documents-show"
          aria-label={t(first ? 'showOf' : 'putOf', { title })}
          data-action="document-show"
          onClick={show}
        >
          {t(first ? 'show' : 'put')}
        </button>
      )}
      {board.managesDocuments && (
        <button type="button" className="icon-button" aria-label={label} title={label} data-action="document-delete" onClick={onDelete}>
          <Trash2 aria-hidden />
        </button>
      )}
    </li>
  );
}
