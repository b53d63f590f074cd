import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

/** The browser's own modal dialog: it traps the focus, hears Escape, and gives the focus back. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Before it is taken out of the page: only a dialog that is in it gives the focus back.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current?.open) current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  yes: string;
  no: string;
  action: string;
  onYes(): void;
  onClose(): void;
}

/** Asks before what can't be undone. */
export function Confirm({ title, text, yes, no, action, onYes, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="quiet">{text}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose} autoFocus>
          {no}
        </button>
        <button type="button" className="button danger" data-action={action} onClick={() => (onClose(), onYes())}>
          {yes}
        </button>
      </div>
    </Dialog>
  );
}
