import { DEFAULT_SETTINGS, type RoomSettings } from '@classroom/contracts';

/** A room's settings as its row has them: those that did not exist when it was written are missing. */
export interface WithSettings {
  settings: Partial<RoomSettings>;
}

/** The settings that apply to a room: the only way to read them. */
export const settingsOf = ({ settings }: WithSettings): RoomSettings => ({ ...DEFAULT_SETTINGS, ...settings });
