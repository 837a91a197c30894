import { z } from 'zod';
import { prefixedId, type IdKind } from './ids.ts';
import {
  diallingCode,
  emailAddress,
  lastFourOfAadhaar,
  localNumber,
  pan,
  personName,
} from './investor-profile.dto.ts';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

type Fields = Readonly<Record<string, z.ZodType>>;

/** A kind of object that an investor profile has besides its own fields (INV-15). It never changes. */
interface DetailKind {
  /** Its path below `/v2`. */
  readonly path: string;
  readonly id: IdKind;
  readonly required: Fields;
  /** Null in answers where they were not sent. */
  readonly optional: Fields;
}

/** A word of the upstream's lists, such as `self`, `spouse` or `residential`. It has no effect here. */
const word = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be one lower-case word, such as self');
const line = plainText(120);
/** A number of a passport or a licence. */
const documentNumber = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9/ -]{2,29}$/, 'must be a document number');

const phone = { isd: diallingCode, number: localNumber };
const address = {
  required: {
    line1: line,
    postal_code: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 -]{2,11}$/, 'must be a postal code'),
    country: z.string().regex(/^[A-Za-z]{2}$/, 'must be a country of two letters, such as IN'),
  },
  optional: { line2: line, line3: line, city: line, state: line },
};

/** How a person proves who he is and is reached. */
const person = {
  pan,
  aadhaar_number: lastFourOfAadhaar,
  passport_number: documentNumber,
  driving_licence_number: documentNumber,
  email_address: emailAddress,
  phone_number: z.strictObject(phone),
  address: z.strictObject({ ...address.required, ...nullish(address.optional) }),
};
const guardian = Object.fromEntries(
  Object.entries({ name: personName, ...person }).map(([name, schema]) => [`guardian_${name}`, schema]),
);

/** The kinds by their `object`, with the fields of the upstream's interface. */
export const PROFILE_DETAILS = {
  phone_number: {
    ...{ path: 'phone_numbers', id: 'phoneNumber' },
    required: phone,
    optional: { belongs_to: word },
  },
  email_address: {
    ...{ path: 'email_addresses', id: 'emailAddress' },
    required: { email: emailAddress },
    optional: { belongs_to: word },
  },
  address: {
    ...{ path: 'addresses', id: 'address' },
    required: address.required,
    optional: { ...address.optional, nature: word },
  },
  related_party: {
    ...{ path: 'related_parties', id: 'relatedParty' },
    required: { name: personName, relationship: word },
    optional: { date_of_birth: businessDate, ...person, ...guardian },
  },
} as const satisfies Readonly<Record<string, DetailKind>>;
export type ProfileDetailKind = keyof typeof PROFILE_DETAILS;

/** The schemas of a kind: of `POST`, and of the object that every route answers. */
export function profileDetailSchemas(kind: ProfileDetailKind) {
  const { id, required, optional }: DetailKind = PROFILE_DETAILS[kind];
  const name = kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const profile = prefixedId('investorProfile');
  return {
    create: z.strictObject({ profile, ...required, ...nullish(optional) }).meta({ id: `Create${name}` }),
    object: z
      .strictObject({
        ...{ object: z.literal(kind), id: prefixedId(id), profile },
        ...required,
        ...Object.fromEntries(Object.entries(optional).map(([field, schema]) => [field, schema.nullable()])),
        created_at: timestamp,
      })
      .meta({ id: name }),
  };
}

/** The personal fields of a detail, by the names of its kind. */
export type ProfileDetailContent = Readonly<Record<string, unknown>>;
export type ProfileDetailDto = ProfileDetailContent & { readonly id: string };

function nullish(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.nullish()]));
}
