import { Controller, Req, StreamableFile } from '@nestjs/common';
import { billingRpc, explainEntry, getOrganization, getStatementPdf, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyRequest } from 'fastify';
import { allPages, LongAnswers } from '../http/long-answers.js';
import { Endpoint, Input, OrganizationId } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class BillController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly longAnswers: LongAnswers,
  ) {}

  @Endpoint(explainEntry)
  async explainEntry(@OrganizationId() organizationId: string, @Input() { params: { entryId } }: EndpointInput<typeof explainEntry>) {
    const pages = await allPages((cursor) => this.rpc.call(billingRpc.explain, { organizationId, entryId, cursor }));
    const [{ nextCursor: _, aiUsage, ...explanation }] = pages;
    return success({
      ...explanation,
      sessions: pages.flatMap(({ sessions }) => sessions),
      ...(aiUsage ? { aiUsage: pages.flatMap((page) => page.aiUsage ?? []) } : {}),
    });
  }

  @Endpoint(getStatementPdf)
  async getStatementPdf(
    @Req() { requestContext: { caller } }: FastifyRequest,
    @OrganizationId() organizationId: string,
    @Input() { params: { statementId }, query: { language } }: EndpointInput<typeof getStatementPdf>,
  ) {
    const { name } = 'organization' in caller ? caller.organization : await this.rpc.call(getOrganization, { organizationId });
    const query = { organizationId, statementId, name, language };
    const { reply, text } = await this.longAnswers.read(billingRpc.exportStatement, query);
    const file = Buffer.from(text, 'base64');
    const fileName = `statement-${reply.cycleStart.slice(0, 10)}.pdf`;
    return new StreamableFile(file, { type: 'application/pdf', disposition: `attachment; filename="${fileName}"`, length: file.length });
  }
}
