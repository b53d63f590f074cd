import { Controller, StreamableFile } from '@nestjs/common';
import {
  billingRpc,
  explainBillingEntry,
  explainEntry,
  getStatementPdf,
  type EndpointInput,
  type Organization,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { allPages } from '../http/all-pages.js';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { statementPdf } from './statement-pdf.js';

@Controller()
export class BillController {
  constructor(private readonly rpc: RpcClient) {}

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

  @Endpoint(getStatementPdf)
  async getStatementPdf(
    @CallingOrganization() { organizationId, name }: Organization,
    @Input() { params: { statementId }, query: { language } }: EndpointInput<typeof getStatementPdf>,
  ) {
    const statement = await this.rpc.call(billingRpc.statement, { organizationId, statementId });
    const fileName = `statement-${statement.cycleStart.slice(0, 10)}.pdf`;
    const file = await statementPdf(statement, name, language);
    return new StreamableFile(file, { type: 'application/pdf', disposition: `attachment; filename="${fileName}"`, length: file.length });
  }

  private async explain(entry: { organizationId: string; entryId: string }): Promise<RpcOutput<typeof billingRpc.explain>> {
    const pages = await allPages((cursor) => this.rpc.call(billingRpc.explain, { ...entry, isPaged: true, cursor }));
    const [{ nextCursor: _, aiUsage, ...explanation }] = pages;
    return {
      ...explanation,
      sessions: pages.flatMap(({ sessions }) => sessions),
      ...(aiUsage ? { aiUsage: pages.flatMap((page) => page.aiUsage ?? []) } : {}),
    };
  }
}
