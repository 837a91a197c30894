import type { TokenErrorCode } from '@fundrail/contracts';
import { readForm } from '@fundrail/service-kit/http';

/** A well-formed request for a token (RFC 6749 §4.4.2). `scope` is null when none was requested. */
export interface TokenRequest {
  readonly client_id: string;
  readonly client_secret: string;
  readonly scope: string | null;
}

/** A refusal. Its description contains nothing of the request. */
export class TokenRefused extends Error {
  constructor(
    readonly code: TokenErrorCode,
    description: string,
  ) {
    super(description);
  }
}

/**
 * Reads a token request from the form's text. HTTP Basic may replace the two client fields (RFC 6749 §2.3.1). Unknown fields are
 * ignored, as the RFC requires. Throws `TokenRefused`.
 */
export function readTokenRequest(authorization: string | undefined, form: string): TokenRequest {
  const field = fieldsOf(form);
  const grantType = field('grant_type');
  if (grantType === null) throw new TokenRefused('invalid_request', 'grant_type is required');
  const client = clientOf(authorization, field);
  if (grantType !== 'client_credentials')
    throw new TokenRefused('unsupported_grant_type', 'grant_type must be client_credentials');
  return { ...client, scope: field('scope') };
}

type Field = (name: string) => string | null;

/** RFC 6749 §3.2: a field without a value counts as absent, and no field may occur twice. */
function fieldsOf(form: string): Field {
  const fields = readForm(form);
  return (name) => {
    const values = fields.get(name) ?? [];
    if (values.length > 1) throw new TokenRefused('invalid_request', `${name} must be given once`);
    return values[0] || null;
  };
}

function clientOf(authorization: string | undefined, field: Field): Omit<TokenRequest, 'scope'> {
  const id = field('client_id');
  const secret = field('client_secret');
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    if (secret !== null || (id !== null && id !== basic.client_id))
      throw new TokenRefused('invalid_request', 'the client must authenticate in one way only');
    return basic;
  }
  if (id === null || secret === null)
    throw new TokenRefused('invalid_client', 'client authentication is missing');
  return { client_id: id, client_secret: secret };
}

/** HTTP Basic with two form-encoded parts (RFC 6749 §2.3.1). */
function readBasic(authorization: string): Omit<TokenRequest, 'scope'> {
  const credentials = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credentials ?? '', 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined)
    throw new TokenRefused('invalid_client', 'the Authorization header is not HTTP Basic');
  return { client_id: formDecoded(id), client_secret: formDecoded(secret) };
}

/** A secret that was sent unencoded, with a bare `%`, is accepted unchanged. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
