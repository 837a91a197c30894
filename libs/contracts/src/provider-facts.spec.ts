import { z } from 'zod';
import * as contracts from './index.ts';
import { PROVIDER_NAMES } from './provider-facts.ts';

/** Every object schema of contracts with a field that names a provider. */
const NAMING = Object.entries(contracts).flatMap(([name, schema]) => {
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Record<string, unknown> = schema.shape;
  return ['provider_name', 'payment_provider'].flatMap((field) => {
    const type = shape[field];
    return type instanceof z.ZodType ? [[`${name}.${field}`, type] as const] : [];
  });
});

describe('the name of a provider', () => {
  it('is in the requests, objects, facts and settings that are read before one is written (decision 0049)', () => {
    const fields = ['createMandate', 'createPayment', 'payment', 'mandate', 'mandateFact', 'mandateFacts'];
    expect(NAMING.map(([name]) => name)).toEqual(
      expect.arrayContaining(fields.map((name) => `${name}.provider_name`)),
    );
  });

  it.each(NAMING)('in %s is one of the table, and no other', (_, type) => {
    for (const name of PROVIDER_NAMES) expect(type.safeParse(name).success).toBe(true);
    for (const name of ['NOBODY', 'gatewaypoa', '']) expect(type.safeParse(name).success).toBe(false);
  });
});
