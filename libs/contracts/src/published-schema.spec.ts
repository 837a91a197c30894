import { z } from 'zod';
import { ipAddress } from './mf-order.dto.ts';
import { toPublished } from './published-schema.ts';
import { businessDate } from './time.ts';
import { moment } from './webhook-replay.dto.ts';

const published = (schema: z.ZodType, direction: 'input' | 'output' = 'input') => {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: (part) => {
      toPublished(part, direction);
    },
  });
  return json;
};

describe('a published schema (OPS-11)', () => {
  it.each<[string, z.ZodType, object]>([
    ['a date', businessDate, { type: 'string', format: 'date' }],
    [
      'an IP address',
      ipAddress,
      {
        anyOf: [
          { type: 'string', format: 'ipv4' },
          { type: 'string', format: 'ipv6' },
        ],
      },
    ],
    ['the only boolean that is taken', z.literal(true), { type: 'boolean' }],
  ])('describes %s by its format or type alone', (_what, schema, json) => {
    expect(published(schema)).toEqual(json);
  });

  it('is one type where the schema states one', () => {
    expect(published(moment)).toMatchObject({ type: 'string', format: 'date-time' });
    expect(published(moment)).not.toHaveProperty('anyOf');
  });

  it('is closed and may lack defaults in a request, and is open and has them in what we send', () => {
    const schema = z.strictObject({ id: z.int(), object: z.literal('payment').default('payment') });
    expect(published(schema)).toMatchObject({ additionalProperties: false, required: ['id'] });
    const sent = published(schema, 'output');
    expect(sent).toMatchObject({ required: ['id', 'object'] });
    expect(sent).not.toHaveProperty('additionalProperties');
    expect(sent.properties?.['object']).not.toHaveProperty('default');
  });
});
