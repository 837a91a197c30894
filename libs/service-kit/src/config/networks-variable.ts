import { z } from 'zod';
import { networksOf } from '../http/client-address.ts';

/** A list of CIDRs, empty by default. `TRUSTED_PROXIES`: the proxies with a trusted `X-Forwarded-For`, see `clientOf`. */
export const networksVariable = z
  .string()
  .default('')
  .transform((list, context) => {
    try {
      return networksOf(list);
    } catch {
      context.addIssue('must be a list of CIDRs, such as 10.0.0.0/8,fd00::/8');
      return z.NEVER;
    }
  });
