import type { EitherId } from '@fundrail/contracts';

/** The condition for an object of a tenant, by either of its ids. */
export function ofTenant(tenant: string, id: EitherId) {
  return 'id' in id ? { tenant, id: id.id } : { tenant, old_id: id.oldId };
}

/** The conditions, the order and the page of a `/v2` list: a tenant's objects that meet `filter`, newest first. */
export function newestOf<const Filter extends object>(
  tenant: string,
  { limit, starting_after }: { readonly limit: number; readonly starting_after?: string | undefined },
  filter: Filter,
) {
  const older = starting_after === undefined ? {} : { id: { before: starting_after } };
  return [{ tenant, ...filter, ...older }, 't.id DESC', { limit }] as const;
}
