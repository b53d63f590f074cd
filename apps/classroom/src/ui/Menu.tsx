import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { keyOf } from '@classroom/page/keys';

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

const GAP = 8;

/**
 * Keeps an open popover above its button if the button is in the lower half of the window and there is room; otherwise below. Never outside
 * of the window or below its scrollbar. If the window becomes too narrow for the button, the popover closes.
 * @returns a function that ends it
 */
export function keepPlaced(popover: HTMLElement, button: HTMLElement): () => void {
  const follow = () => (button.getClientRects().length > 0 ? place(popover, button) : popover.hidePopover());
  follow();
  window.addEventListener('resize', follow);
  return () => window.removeEventListener('resize', follow);
}

function place(popover: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const isAbove = anchor.top - height - GAP >= 0 && anchor.top > window.innerHeight / 2;
  const top = isAbove ? anchor.top - height - GAP : anchor.bottom + GAP;
  const left = anchor.left + anchor.width / 2 - width / 2;
  popover.style.top = `${clamp(top, window.innerHeight - height)}px`;
  popover.style.left = `${clamp(left, document.documentElement.clientWidth - width)}px`;
}

const clamp = (value: number, max: number) => Math.max(GAP, Math.min(value, max - GAP));
