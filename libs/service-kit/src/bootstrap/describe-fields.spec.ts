import { readFileSync } from 'node:fs';
import { describeSchemas } from './describe-fields.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

const document = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function described(name: string, schema: Schema): Readonly<Record<string, Schema>> {
  const schemas = { [name]: structuredClone(schema) };
  describeSchemas(schemas);
  return schemas[name]?.properties ?? {};
}

// OPS-11
describe('the description of a field', () => {
  it('is by its name, by its name in the schema, or by the field that holds it', () => {
    const field = { amount: {}, scheme: {}, upi: { properties: { type: {} } } };
    const { amount, scheme, upi } = described('MfPurchase', { properties: field });

    expect(scheme?.description).toBe(FIELD_DESCRIPTIONS['scheme']);
    expect(amount?.description).toBe(FIELD_DESCRIPTIONS['MfPurchase.amount']);
    expect(upi?.properties?.['type']?.description).toBe(FIELD_DESCRIPTIONS['upi.type']);
  });

  it('keeps what a schema says: alone, or behind the sentence for this place', () => {
    const own = { description: 'rupees' };
    const { amount, scheme } = described('MfPurchase', { properties: { amount: own, scheme: { ...own } } });

    expect(scheme?.description).toBe('rupees');
    expect(amount?.description).toBe(`${FIELD_DESCRIPTIONS['MfPurchase.amount']} (rupees)`);
  });

  it('is also given to fields of the items of a list', () => {
    const { history } = described('PaymentTrace', {
      properties: { history: { items: { properties: { step: {} } } } },
    });
    expect(history?.items?.properties?.['step']?.description).toBe(FIELD_DESCRIPTIONS['step']);
  });

  it('is in the document: no entry is left of a field that is gone', () => {
    const texts = new Set(
      [...document.matchAll(/"description": ("(?:[^"\\]|\\.)*")/g)].map(
        ([, text = '""']) => JSON.parse(text) as string,
      ),
    );
    const isShown = (entry: string) =>
      texts.has(entry) || [...texts].some((text) => text.startsWith(`${entry} (`));
    const unused = Object.entries(FIELD_DESCRIPTIONS).filter(([, entry]) => !isShown(entry));
    expect(unused.map(([name]) => name)).toEqual([]);
  });
});
