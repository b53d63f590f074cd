import { Injectable } from '@nestjs/common';
import { listVoices, MAX_VOICES, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Providers } from '../providers/providers.js';

/** Lists the voices of the organization's speech synthesizer. */
@Injectable()
export class ListVoices {
  constructor(private readonly providers: Providers) {}

  @Handles(listVoices)
  async execute({ organizationId }: RpcInput<typeof listVoices>) {
    const { provider } = await this.providers.forOrganization(organizationId);
    return { voices: (await provider.voices()).slice(0, MAX_VOICES) };
  }
}
