import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

interface DialogProps {
  title: string;
  onClose(): void;
  /** Whether the focus begins at the title, and not at the first control: where that is a text, or a choice that nothing should suggest. */
  startsAtTitle?: boolean;
  children: ReactNode;
}

/** The browser's modal dialog: it traps the focus, handles Escape and returns the focus. */
export function Dialog({ title, onClose, startsAtTitle = false, children }: DialogProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect closes it before the element leaves the document: afterwards it would not return the focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current?.open) current?.showModal();
    if (startsAtTitle) heading.current?.focus();
    return () => current?.close();
  }, [startsAtTitle]);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id} ref={heading} tabIndex={startsAtTitle ? -1 : undefined}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
  action: string;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm({ title, text, confirmLabel, cancelLabel, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="quiet">{text}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose} autoFocus>
          {cancelLabel}
        </button>
        <button type="button" className="button danger" data-action={action} onClick={() => (onClose(), onConfirm())}>
          {confirmLabel}
        </button>
      </div>
    </Dialog>
  );
}
