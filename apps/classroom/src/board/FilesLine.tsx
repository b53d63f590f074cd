import { LoaderCircle, TriangleAlert } from 'lucide-react';
import { useClassroom } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { useStore } from '../store.js';
import { loadDocuments } from './load-documents.js';
import { useBoard } from './use-board.js';

/** The files that become documents, over the board while the dialog is closed. It opens the dialog. */
export function FilesLine() {
  const { t } = useTranslation('board');
  const { openDialog } = useClassroom();
  const { board } = useBoard();
  const files = useStore(board.documents, (state) => state.files);
  const [first] = files;
  if (!first) return null;
  const isFailed = files.some(({ step }) => step === 'failed');
  return (
    <button type="button" className="board-files" data-action="board-files" onClick={() => openDialog(loadDocuments)}>
      {isFailed ? <TriangleAlert aria-hidden /> : <LoaderCircle className="board-files-busy" aria-hidden />}
      <bdi className="board-files-title">{first.title}</bdi>
      <span>{t(`files.${first.step}`, { percent: Math.floor(first.share * 100) })}</span>
      {files.length > 1 && <span>+{files.length - 1}</span>}
    </button>
  );
}
