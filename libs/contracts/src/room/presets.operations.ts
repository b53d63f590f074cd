import { z } from 'zod';
import { presetName, timestamp } from '../kernel/values.js';
import { NAMES, PRESET } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';
import { customization } from './room.operations.js';
import { presetSettings } from './room-settings.js';

/** Presets of an organization at most: all of them are one answer. */
export const MAX_PRESETS = 50;

const presetParams = z.object({ presetName: presetName.describe('Name of the preset, 1 to 64 of `A-Z a-z 0-9 . _ -`.') });

export const setPresetBody = z.object({
  customization: customization.default({}),
  settings: presetSettings.default({}).describe('Settings of the rooms; what is omitted has the defaults of *Create room*.'),
});

export const preset = z
  .object({
    name: z.string().describe('Name of the preset.'),
    customization: customization.describe('How the class pages look; what was omitted has the defaults of *Create room*.'),
    settings: presetSettings.describe('Settings of the rooms; what was omitted has the defaults of *Create room*.'),
    updatedAt: timestamp.describe('When the preset was last set.'),
  })
  .register(NAMES, { id: 'Preset', description: 'A named template for rooms.' });
export type Preset = z.infer<typeof preset>;

export const setPreset = defineOperation({
  operationId: 'setPreset',
  summary: 'Set preset',
  description: `Creates or replaces a preset. Rooms that exist stay as they are. An organization has ${MAX_PRESETS} presets at most.`,
  tag: 'Presets',
  sdk: 'presets.set',
  route: 'PUT /v1/presets/:presetName',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'presets.set',
  params: presetParams,
  body: setPresetBody,
  output: preset,
  message: 'Preset set',
  errors: ['TOO_MANY_PRESETS'],
  links: { presetName: '$response.body#/data/name' },
  example: { params: PRESET, body: { customization: { showLobby: false }, settings: { maxParticipants: 30, autoRecord: true } } },
});

export const getPreset = defineOperation({
  operationId: 'getPreset',
  summary: 'Get preset',
  description: 'Returns one preset.',
  tag: 'Presets',
  sdk: 'presets.get',
  route: 'GET /v1/presets/:presetName',
  auth: 'organization',
  scope: 'rooms:read',
  service: 'room',
  rpc: 'presets.get',
  params: presetParams,
  output: preset,
  message: 'Preset',
  errors: ['PRESET_NOT_FOUND'],
  example: { params: PRESET },
});

export const listPresets = defineOperation({
  operationId: 'listPresets',
  summary: 'List presets',
  description: 'Returns all presets of the organization.',
  tag: 'Presets',
  sdk: 'presets.list',
  route: 'GET /v1/presets',
  auth: 'organization',
  scope: 'rooms:read',
  service: 'room',
  rpc: 'presets.list',
  output: z.object({ presets: z.array(preset).max(MAX_PRESETS).describe('The presets, by name.') }),
  message: 'Presets',
  example: {},
});

export const deletePreset = defineOperation({
  operationId: 'deletePreset',
  summary: 'Delete preset',
  description: 'Deletes a preset. Rooms that were created with it stay as they are.',
  tag: 'Presets',
  sdk: 'presets.delete',
  route: 'DELETE /v1/presets/:presetName',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'presets.delete',
  params: presetParams,
  output: z.object({ name: z.string().describe('Name of the deleted preset.') }),
  message: 'Preset deleted',
  errors: ['PRESET_NOT_FOUND'],
  example: { params: PRESET },
});
