import type { DataSource } from 'typeorm';

/** @throws if the name needs escaping in SQL */
export function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`${name} is not a plain identifier`);
  return `"${name}"`;
}

/** The setting with the organization whose rows a request may see. */
export const ORGANIZATION_SETTING = 'app.organization';

/** The role that a service takes for statements of one organization's request. Postgres cuts off longer names without an error. */
export function tenantRoleOf(user: string): string {
  const role = `${user}_tenant`;
  if (role.length > 63) throw new Error(`the name of the role ${user} is too long: 56 characters at most`);
  return role;
}

/**
 * Policies for each table of a schema that has rows of organizations: `user`, the service's role, sees all rows, for background work; its
 * tenant role sees those of the organization in the setting, and without the setting none. A table without a column
 * `organization_id` names in its comment the row that each of its rows belongs to (`belongs to <table> by <column>`), whose visibility decides.
 *
 * The role that owns the tables is not bound (no FORCE): only migrations and backups use it.
 */
export async function protectRows(admin: DataSource, schema: string, user: string): Promise<void> {
  const tables: {
    name: string;
    hasOrganization: boolean;
    parent: string | null;
    key: string | null;
    policies: string[];
  }[] = await admin.query(
    `SELECT c.relname AS name, a.attname IS NOT NULL AS "hasOrganization", of[1] AS parent, of[2] AS key, p.policies
       FROM pg_class c
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
      CROSS JOIN LATERAL regexp_match(coalesce(obj_description(c.oid, 'pg_class'), ''), '^belongs to (\\w+) by (\\w+)') AS of
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid) AS policies) p
      WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND (a.attname IS NOT NULL OR of IS NOT NULL)
        AND NOT (c.relrowsecurity AND p.policies @> ARRAY['background', 'tenant'])
      ORDER BY c.oid`,
    [schema],
  );
  const [role, tenant] = [identifier(user), identifier(tenantRoleOf(user))];
  for (const { name, hasOrganization, parent, key, policies } of tables) {
    const table = `${identifier(schema)}.${identifier(name)}`;
    const isVisible =
      hasOrganization || parent === null || key === null
        ? `organization_id = current_setting('${ORGANIZATION_SETTING}')`
        : `EXISTS (SELECT FROM ${identifier(schema)}.${identifier(parent)} parent WHERE parent.${identifier(key)} = ${identifier(name)}.${identifier(key)})`;
    const wanted = {
      background: `CREATE POLICY background ON ${table} TO ${role} USING (true)`,
      tenant: `CREATE POLICY tenant ON ${table} TO ${tenant} USING (${isVisible})`,
    };
    // A restored table may be protected and lack policies, if the roles that they name did not exist.
    const missing = Object.entries(wanted).filter(([policy]) => !policies.includes(policy));
    // In one query, so that no statement finds a table that is protected and has no policies.
    await admin.query([...missing.map(([, create]) => create), `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`].join(';\n'));
  }
}
