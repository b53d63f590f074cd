import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { keyOf } from '@classroom/page/keys';
import { keepPlaced } from './popover-position.js';

interface MenuProps {
  /** Accessible name of the button and the menu, and tooltip of the button. */
  label: string;
  children: ReactNode;
  items: ReactNode;
  className?: string;
  action?: string;
}

/** A button that opens a menu. The browser's popover handles Escape, clicks outside and the return of the focus. */
export function Menu({ label, children, items, className = 'icon-button', action }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  // The menu has a size only after its items are rendered.
  useLayoutEffect(() => {
    if (!isOpen || !list.current || !button.current) return undefined;
    const stop = keepPlaced(list.current, button.current);
    itemsOf(list.current)[0]?.focus();
    return stop;
  }, [isOpen]);
  const move = (event: KeyboardEvent) => {
    const all = list.current ? itemsOf(list.current) : [];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const key = keyOf(event.nativeEvent) ?? '';
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[key];
    if (key === 'Tab') list.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    all[to % all.length]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        data-action={action}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu"
        onKeyDown={move}
        onClick={() => list.current?.hidePopover()}
        onDoubleClick={(event) => event.stopPropagation()}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && items}
      </div>
    </>
  );
}

const itemsOf = (list: HTMLElement) =>
  [...list.querySelectorAll<HTMLElement>('[role^=menuitem]')].filter((item) => item.offsetParent !== null);

interface ItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onChoose(): void;
  isDanger?: boolean;
  /** For an item of a choice: whether it is the chosen one. */
  isChosen?: boolean | undefined;
  action?: string;
}

export function MenuItem({ icon, children, onChoose, isDanger, isChosen, action }: ItemProps) {
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      className={isDanger ? 'menu-item danger-text' : 'menu-item'}
      tabIndex={-1}
      onClick={onChoose}
      data-action={action}
    >
      <span className="menu-icon">{icon}</span>
      <span>{children}</span>
    </button>
  );
}

export const MenuHeading = ({ children }: { children: ReactNode }) => <p className="menu-heading">{children}</p>;
