import { Injectable } from '@nestjs/common';
import { AppError, deletePreset, getPreset, listPresets, setPreset, type Preset, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { PresetsRepository, type PresetRow } from './presets.repository.js';

/** The presets of an organization, as its backend sets and reads them. */
@Injectable()
export class Presets {
  constructor(
    private readonly presets: PresetsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError TOO_MANY_PRESETS */
  @Handles(setPreset)
  async set({ organizationId, presetName: name, customization, settings }: RpcInput<typeof setPreset>): Promise<Preset> {
    const row = { organizationId, name, customization, settings, updatedAt: this.clock.now() };
    if (!(await this.presets.set(row))) throw new AppError('TOO_MANY_PRESETS');
    return toPreset(row);
  }

  /** @throws AppError PRESET_NOT_FOUND */
  @Handles(getPreset)
  async get({ organizationId, presetName: name }: RpcInput<typeof getPreset>): Promise<Preset> {
    const row = await this.presets.find(organizationId, name);
    if (!row) throw new AppError('PRESET_NOT_FOUND');
    return toPreset(row);
  }

  @Handles(listPresets)
  async list({ organizationId }: RpcInput<typeof listPresets>): Promise<{ presets: Preset[] }> {
    return { presets: (await this.presets.list(organizationId)).map(toPreset) };
  }

  /** @throws AppError PRESET_NOT_FOUND */
  @Handles(deletePreset)
  async delete({ organizationId, presetName: name }: RpcInput<typeof deletePreset>): Promise<{ name: string }> {
    if (!(await this.presets.delete(organizationId, name))) throw new AppError('PRESET_NOT_FOUND');
    return { name };
  }
}

const toPreset = ({ name, customization, settings, updatedAt }: PresetRow): Preset => ({
  name,
  customization,
  settings,
  updatedAt: updatedAt.toISOString(),
});
