import type { Client, Connection } from 'pg';

export interface Column {
  name: string;
  /** Type of the column. */
  oid: number;
  /** Table and number of the column, if it is a plain table column; otherwise 0. */
  table: number;
  attribute: number;
}

export interface Description {
  /** Types of $1, $2, … */
  parameters: number[];
  columns: Column[];
}

interface Field {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
}

/** Parameters and columns of a statement, without running it, by Parse and Describe of the Postgres protocol. */
export function describe(client: Client, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    const found: Description = { parameters: [], columns: [] };
    let wire: Connection | undefined;
    const onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }) => (found.parameters = dataTypeIDs);
    const message = {
      submit(connection: Connection) {
        wire = connection;
        wire.on('parameterDescription', onParameters);
        const raw = connection as unknown as { parse(query: object): void; describe(of: object): void; sync(): void };
        raw.parse({ text, name: '', types: [] });
        raw.describe({ type: 'S', name: '' });
        raw.sync();
      },
      handleRowDescription({ fields }: { fields: Field[] }) {
        found.columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          oid: dataTypeID,
          table: tableID,
          attribute: columnID,
        }));
      },
      // Of a statement that failed, the client does not report that Postgres is ready again.
      handleError(error: Error) {
        wire?.off('parameterDescription', onParameters);
        reject(error);
      },
      handleReadyForQuery() {
        wire?.off('parameterDescription', onParameters);
        resolve(found);
      },
    };
    (client.query as unknown as (message: object) => void)(message);
  });
}
