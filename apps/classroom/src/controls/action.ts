import type { LucideIcon } from 'lucide-react';

export interface Action {
  id: string;
  icon: LucideIcon;
  label: string;
  /** The label of its other state. The control is as wide as the wider of the two, so that no control moves. */
  otherLabel?: string;
  /** The letter key that presses it. */
  shortcut?: string;
  /** For actions that can be on or off. Their label says what a press does, unless the action opens a panel. */
  isOn?: boolean;
  isPanel?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Where the bar is too narrow, the actions with the lowest numbers move behind "More" first. Without a number, an action stays. */
  rank?: number;
  onPress(): void;
}
