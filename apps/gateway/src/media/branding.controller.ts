import { Controller } from '@nestjs/common';
import {
  deleteLogo,
  setLogo,
  updateDashboardBranding,
  updateOrganization,
  type EndpointInput,
  type Organization,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingDashboardUser, Endpoint, Input, OrganizationId, success, type DashboardCaller } from '../http/endpoint.js';
import { checkedLogo, ServedPictures, UploadedLogos } from './picture-proxy.js';

type Changes = RpcRequest<typeof updateOrganization>['changes']['branding'];

/** Logo and colors, for an organization's staff; an uploaded logo for operators too. */
@Controller()
export class BrandingController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pictures: ServedPictures,
    private readonly logos: UploadedLogos,
  ) {}

  @Endpoint(updateDashboardBranding)
  async updateDashboardBranding(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { body }: EndpointInput<typeof updateDashboardBranding>,
  ) {
    return success(this.pictures.brandingOf(await this.change(organization, body)), 'Branding changed');
  }

  @Endpoint(setLogo)
  async setLogo(@OrganizationId() organizationId: string, @Input() { body }: EndpointInput<typeof setLogo>) {
    return success(this.pictures.brandingOf(await this.logos.write(organizationId, checkedLogo(body.logo))), 'Logo set');
  }

  @Endpoint(deleteLogo)
  async deleteLogo(@OrganizationId() organizationId: string) {
    return success(this.pictures.brandingOf(await this.change({ organizationId }, { logoUrl: null })), 'Logo deleted');
  }

  private change({ organizationId }: Pick<Organization, 'organizationId'>, branding: Changes): Promise<Organization> {
    return this.rpc.call(updateOrganization, { organizationId, changes: { branding } });
  }
}
