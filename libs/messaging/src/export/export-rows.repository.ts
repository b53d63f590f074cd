/** Types of the columns by which rows are ordered. */
type KeyType = 'text' | 'bigint' | 'uuid' | 'timestamptz' | 'integer';

const FIRST: Record<KeyType, string> = {
  text: `''`,
  bigint: `'-1'::bigint`,
  integer: `'-1'::integer`,
  uuid: `'00000000-0000-0000-0000-000000000000'::uuid`,
  timestamptz: `'-infinity'::timestamptz`,
};

/** A part of the key of the last row of the page before, counted from 1. */
const part = (index: number, type: KeyType) => `coalesce(($4::text[])[${index}]::${type}, ${FIRST[type]})`;

/** A uid of the row that is not the person's own is left out of the person's export. */
export const ownOnly = (column: string) => `CASE WHEN $2::text IS NULL OR ${column} = $2 THEN ${column} END`;
/** Rows of the person $2; all rows if there is none. */
export const ofPerson = (column: string) => `($2::text IS NULL OR ${column} = $2)`;
/** For a store that has no rows of a person. */
export const NOT_OF_A_PERSON = '$2::text IS NULL';
/** For a store of the organization as a whole. */
export const OF_ORGANIZATION = '$2::text IS NULL AND $3::text IS NULL';

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Rows {
  /** The table as `t`, and what it is joined with. */
  from: string;
  columns: string;
  /** Unique columns of `t` by which the rows are ordered, an index of the table has them; their properties must be in `columns`. */
  key: Record<string, KeyType>;
  where: string;
}

/** The statement of a store whose rows have an organization: $1 is compared by `where`. */
export function rowsOf({ from, columns, key, where }: Rows): string {
  const names = Object.keys(key).map((name) => `t.${snake(name)}`);
  const last = Object.values(key).map((type, index) => part(index + 1, type));
  return `SELECT ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS "key!", ${columns} FROM ${from}
    WHERE ${where} AND (${names.join(', ')}) > (${last.join(', ')}) ORDER BY ${names.join(', ')} LIMIT $5`;
}

interface InnerRows extends Rows {
  /** The rows that own the others, as `o`, in the order of `ownerKey`, with `ownerColumns` of theirs. */
  owners: string;
  ownerKey: string;
  ownerKeyType: KeyType;
  ownerColumns: string;
  ownerWhere: string;
}

/**
 * The statement of a store whose rows belong to others, in the order of these. The inner query reads each owner's rows by an index, from the last row
 * of the page before on: a page costs the same anywhere in a large class.
 */
export function rowsOfOwners({ from, columns, key, where, owners, ownerKey, ownerKeyType, ownerColumns, ownerWhere }: InnerRows): string {
  const names = Object.keys(key).map((name) => `t.${snake(name)}`);
  const properties = Object.keys(key).map((name) => `x."${name}"`);
  const isLast = `o.${ownerKey} = ($4::text[])[1]::${ownerKeyType}`;
  const last = Object.values(key).map((type, index) => `CASE WHEN ${isLast} THEN ${part(index + 2, type)} ELSE ${FIRST[type]} END`);
  return `SELECT ARRAY[o.${ownerKey}::text, ${properties.map((name) => `${name}::text`).join(', ')}] AS "key!", ${ownerColumns}, x.*
     FROM ${owners} CROSS JOIN LATERAL (
       SELECT ${columns} FROM ${from} WHERE ${where} AND (${names.join(', ')}) > (${last.join(', ')}) ORDER BY ${names.join(', ')} LIMIT $5) x
    WHERE ${ownerWhere} AND o.${ownerKey} >= ${part(1, ownerKeyType)} ORDER BY o.${ownerKey}, ${properties.join(', ')} LIMIT $5`;
}
