import { INVESTOR_FIELDS } from './fields/investor.fields.ts';
import { ORDER_FIELDS } from './fields/order.fields.ts';
import { PLAN_FIELDS } from './fields/plan.fields.ts';
import { TENANT_FIELDS } from './fields/tenant.fields.ts';

/**
 * What each field of the interface means, by its name (OPS-11). A name has one meaning in all schemas; where it differs, the entry is
 * `Schema.field`, or `parent.field` for a field of an object inside another. It stands before what a schema says of the
 * type; a name alone counts only where the schema says nothing.
 */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...INVESTOR_FIELDS,
  ...ORDER_FIELDS,
  ...PLAN_FIELDS,
  ...TENANT_FIELDS,
};
