import type { LucideIcon } from 'lucide-react';

export interface Action {
  id: string;
  icon: LucideIcon;
  label: string;
  /** The letter key that presses it. */
  shortcut?: string;
  /** For actions that can be on or off. */
  isOn?: boolean;
  isDanger?: boolean;
  /** Moved behind "More" if there is little space. */
  isSecondary?: boolean;
  onPress(): void;
}
