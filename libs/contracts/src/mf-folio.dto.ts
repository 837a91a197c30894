import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { folioNumber, wholeNumber } from './mf-order.dto.ts';
import { listSchema, sizedQuery } from './page-size.ts';

/** A folio of an investment account, as its successful orders show it (ORD-35). */
const mfFolio = z
  .strictObject({
    object: z.literal('mf_folio'),
    /** The account's id, a colon, and the number. */
    id: z.string(),
    number: z.string(),
    mf_investment_account: prefixedId('investmentAccount'),
    holding_pattern: z.literal('single'),
    /** The ISINs of the schemes with a successful order. */
    schemes: z.array(z.string()),
  })
  .meta({ id: 'MfFolio' });
export type MfFolioDto = z.infer<typeof mfFolio>;

/** Query of `GET /v2/mf_folios`. */
export const listMfFolios = sizedQuery(
  'limit',
  z.strictObject({
    mf_investment_account: prefixedId('investmentAccount').optional(),
    folio_number: folioNumber.optional(),
    starting_after: z
      .string()
      .regex(/^mfia_[0-9a-f]{32}:[0-9A-Za-z/ -]{1,30}$/, 'must be the id of a folio')
      .optional(),
    limit: wholeNumber(1, 100).default(100),
    /** The same as `limit`. */
    size: wholeNumber(1, 100).optional(),
  }),
);
export type ListMfFolios = z.output<typeof listMfFolios>;

export const mfFolioList = listSchema(mfFolio).meta({ id: 'MfFolioList' });
