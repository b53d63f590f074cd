import { Controller } from '@nestjs/common';
import {
  deleteDashboardLogo,
  deleteOrganizationLogo,
  getDashboardBranding,
  setDashboardLogo,
  setOrganizationLogo,
  updateDashboardBranding,
  updateOrganization,
  type EndpointInput,
  type Organization,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingDashboardUser, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/request-context.js';
import { ServedPictures } from './picture-route.js';
import { UploadedLogos, checkedLogo } from './uploaded-logos.js';

type Changes = RpcRequest<typeof updateOrganization>['changes']['branding'];

/** Logo and colors, for an organization's dashboard users; an uploaded logo for operators too. */
@Controller()
export class BrandingController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pictures: ServedPictures,
    private readonly logos: UploadedLogos,
  ) {}

  @Endpoint(getDashboardBranding)
  getDashboardBranding(@CallingDashboardUser() { organization }: DashboardCaller) {
    return success(this.shown(organization));
  }

  @Endpoint(updateDashboardBranding)
  async updateDashboardBranding(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { body }: EndpointInput<typeof updateDashboardBranding>,
  ) {
    return success(this.shown(await this.change(organization, body)), 'Branding changed');
  }

  @Endpoint(setDashboardLogo)
  async setDashboardLogo(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { body }: EndpointInput<typeof setDashboardLogo>,
  ) {
    return success(this.shown(await this.logos.write(organization.organizationId, checkedLogo(body.logo))), 'Logo set');
  }

  @Endpoint(deleteDashboardLogo)
  async deleteDashboardLogo(@CallingDashboardUser() { organization }: DashboardCaller) {
    return success(this.shown(await this.change(organization, { logoUrl: null })), 'Logo deleted');
  }

  @Endpoint(setOrganizationLogo)
  async setOrganizationLogo(@Input() { params, body }: EndpointInput<typeof setOrganizationLogo>) {
    return success(await this.logos.write(params.organizationId, checkedLogo(body.logo)), 'Logo set');
  }

  @Endpoint(deleteOrganizationLogo)
  async deleteOrganizationLogo(@Input() { params }: EndpointInput<typeof deleteOrganizationLogo>) {
    return success(await this.change(params, { logoUrl: null }), 'Logo deleted');
  }

  private change({ organizationId }: Pick<Organization, 'organizationId'>, branding: Changes): Promise<Organization> {
    return this.rpc.call(updateOrganization, { organizationId, changes: { branding } });
  }

  private shown({ organizationId, branding }: Organization) {
    return { ...branding, servedLogoUrl: this.pictures.addressOf(organizationId, branding.logoUrl) };
  }
}
