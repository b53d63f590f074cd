import { Controller } from '@nestjs/common';
import { listDashboardRooms, listRooms, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { csvFile } from '../http/long-answers.js';
import { CallingDashboardUser, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/request-context.js';
import { roomsCsv } from './rooms-csv.js';

/** Rooms in one RPC of an export. */
const EXPORT_PAGE_SIZE = 100;

@Controller()
export class DashboardRoomsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listDashboardRooms)
  async listDashboardRooms(
    @CallingDashboardUser() { organization: { organizationId } }: DashboardCaller,
    @Input() { query: { export: format, bom, ...query } }: EndpointInput<typeof listDashboardRooms>,
  ) {
    if (format === 'json') return success(await this.rpc.call(listRooms, { ...query, organizationId }), 'Rooms');
    const read = (cursor?: string) => this.rpc.call(listRooms, { ...query, organizationId, cursor, limit: EXPORT_PAGE_SIZE });
    // The first page is read before the answer begins, so that an error is an ordinary error response.
    return csvFile(roomsCsv(await read(), read), 'classes.csv', bom === 'true');
  }
}
