import { Controller, Req, StreamableFile } from '@nestjs/common';
import {
  billingRpc,
  explainEntry,
  getOrganization,
  getStatementPdf,
  type StatementLanguage,
  type EndpointInput,
  type Organization,
  type RpcOutput,
} from '@classroom/contracts';
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
    return success(await this.explain({ organizationId, entryId }));
  }

  @Endpoint(getStatementPdf)
  async getStatementPdf(
    @Req() { requestContext: { caller } }: FastifyRequest,
    @OrganizationId() organizationId: string,
    @Input() { params, query }: EndpointInput<typeof getStatementPdf>,
  ) {
    const { name } = 'organization' in caller ? caller.organization : await this.rpc.call(getOrganization, { organizationId });
    return this.pdf({ organizationId, name }, params.statementId, query.language);
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
