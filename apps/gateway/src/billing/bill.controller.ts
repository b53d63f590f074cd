import { Controller, StreamableFile } from '@nestjs/common';
import {
  billingRpc,
  explainBillingEntry,
  explainDashboardEntry,
  explainEntry,
  getDashboardStatementPdf,
  getOrganization,
  getOrganizationStatementPdf,
  getStatementPdf,
  type StatementLanguage,
  type EndpointInput,
  type Organization,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { allPages, LongAnswers } from '../http/long-answers.js';
import { CallingDashboardUser, CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/request-context.js';

@Controller()
export class BillController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly longAnswers: LongAnswers,
  ) {}

  @Endpoint(explainEntry)
  async explainEntry(@Input() { params }: EndpointInput<typeof explainEntry>) {
    return success(await this.explain(params));
  }

  @Endpoint(explainBillingEntry)
  async explainBillingEntry(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { entryId } }: EndpointInput<typeof explainBillingEntry>,
  ) {
    return success(await this.explain({ organizationId, entryId }));
  }

  @Endpoint(explainDashboardEntry)
  async explainDashboardEntry(
    @CallingDashboardUser() { organization: { organizationId } }: DashboardCaller,
    @Input() { params: { entryId } }: EndpointInput<typeof explainDashboardEntry>,
  ) {
    return success(await this.explain({ organizationId, entryId }));
  }

  @Endpoint(getStatementPdf)
  getStatementPdf(@CallingOrganization() organization: Organization, @Input() input: EndpointInput<typeof getStatementPdf>) {
    return this.pdf(organization, input.params.statementId, input.query.language);
  }

  @Endpoint(getDashboardStatementPdf)
  getDashboardStatementPdf(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() input: EndpointInput<typeof getDashboardStatementPdf>,
  ) {
    return this.pdf(organization, input.params.statementId, input.query.language);
  }

  @Endpoint(getOrganizationStatementPdf)
  async getOrganizationStatementPdf(
    @Input() { params: { organizationId, statementId }, query }: EndpointInput<typeof getOrganizationStatementPdf>,
  ) {
    const { name } = await this.rpc.call(getOrganization, { organizationId });
    return this.pdf({ organizationId, name }, statementId, query.language);
  }

  private async pdf(
    { organizationId, name }: Pick<Organization, 'organizationId' | 'name'>,
    statementId: string,
    language: StatementLanguage,
  ): Promise<StreamableFile> {
    const query = { organizationId, statementId, name, language };
    const { reply, text } = await this.longAnswers.read(billingRpc.exportStatement, query);
    const file = Buffer.from(text, 'base64');
    const fileName = `statement-${reply.cycleStart.slice(0, 10)}.pdf`;
    return new StreamableFile(file, { type: 'application/pdf', disposition: `attachment; filename="${fileName}"`, length: file.length });
  }

  private async explain(entry: {
    organizationId: string;
    entryId: string;
  }): Promise<Omit<RpcOutput<typeof billingRpc.explain>, 'nextCursor'>> {
    const pages = await allPages((cursor) => this.rpc.call(billingRpc.explain, { ...entry, cursor }));
    const [{ nextCursor: _, aiUsage, ...explanation }] = pages;
    return {
      ...explanation,
      sessions: pages.flatMap(({ sessions }) => sessions),
      ...(aiUsage ? { aiUsage: pages.flatMap((page) => page.aiUsage ?? []) } : {}),
    };
  }
}
