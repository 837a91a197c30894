import { ApiError } from '@fundrail/contracts';

/** The `error` codes of RFC 6750 §3.1 in our answers. */
type BearerError = 'invalid_token' | 'insufficient_scope';

/**
 * A refusal of a token. It helps a developer and reveals nothing to an attacker: a wrong signature, issuer, audience or claim has the
 * same message, and only a token that was ours is reported as expired.
 */
export class TokenRefusal extends ApiError {
  private constructor(
    code: 'UNAUTHORIZED' | 'FORBIDDEN',
    message: string,
    /** Null: no token was sent, and then RFC 6750 has no error code. */
    readonly error: BearerError | null,
    /** The required scope. */
    readonly scope: string | null = null,
  ) {
    super(code, message);
  }

  static missing(): TokenRefusal {
    const message = 'No access token was sent: send the header Authorization: Bearer <access token>.';
    return new TokenRefusal('UNAUTHORIZED', message, null);
  }

  static malformed(): TokenRefusal {
    const message = 'The Authorization header is malformed: it must be Bearer, a space and an access token.';
    return new TokenRefusal('UNAUTHORIZED', message, 'invalid_token');
  }

  static expired(): TokenRefusal {
    return new TokenRefusal(
      'UNAUTHORIZED',
      'The access token has expired: request a new one.',
      'invalid_token',
    );
  }

  static foreign(): TokenRefusal {
    return new TokenRefusal(
      'UNAUTHORIZED',
      'The token is not an access token for this API.',
      'invalid_token',
    );
  }

  static scope(scope: string): TokenRefusal {
    return new TokenRefusal('FORBIDDEN', `The scope ${scope} is required.`, 'insufficient_scope', scope);
  }
}

/** `WWW-Authenticate` of a refusal (RFC 6750 §3); null when it has none. */
export function challengeOf(refusal: ApiError): string | null {
  const challenge = 'Bearer realm="fundrail"';
  if (!(refusal instanceof TokenRefusal)) return refusal.status === 401 ? challenge : null;
  if (refusal.error === null) return challenge;
  const scope = refusal.scope === null ? '' : `, scope="${refusal.scope}"`;
  return `${challenge}, error="${refusal.error}", error_description="${refusal.message}"${scope}`;
}
