import { Injectable } from '@nestjs/common';
import { billingRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { GetStatement } from './read-statements.js';
import { StatementPrinter } from './statement-printer.js';

@Injectable()
export class ExportStatement {
  constructor(
    private readonly getStatement: GetStatement,
    private readonly printer: StatementPrinter,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(billingRpc.exportStatement)
  async execute(input: RpcInput<typeof billingRpc.exportStatement>): Promise<RpcOutput<typeof billingRpc.exportStatement>> {
    const { organizationId, statementId, name, language, inbox } = input;
    const statement = await this.getStatement.execute(organizationId, statementId);
    const { printer } = this;
    const { control } = this.streams.open(inbox, async function* () {
      const file = await printer.print({ statement, organization: name, language });
      yield file.toString('base64');
    });
    return { control, cycleStart: statement.cycleStart };
  }
}
