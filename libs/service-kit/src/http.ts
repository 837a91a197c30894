export { AcceptsForm, AnswersAsOAuth, Internal, Public, RequireScope } from './http/auth/route-policy.ts';
export type { VerifiedToken } from './http/auth/access-tokens.ts';
export { ADMIN_SCOPE, Doorkeeper } from './http/auth/auth.hook.ts';
export { cookieOf, isOwnPost, one, type RequestHeaders } from './http/browser-request.ts';
export { CallerOf, RawBody, type Caller } from './http/caller.ts';
export { callbackController } from './http/callback-controller.ts';
export { clientOf, networksOf, type Network } from './http/client-address.ts';
export { AnswerCache } from './http/client/answer-cache.ts';
export { OwnerCache } from './http/client/owner-cache.ts';
export { ServiceClient } from './http/client/service-client.ts';
export type { ServiceTransport, TransportAnswer, TransportRequest } from './http/client/service-transport.ts';
export { Tenants } from './http/client/tenants.ts';
export { listSchema } from '@fundrail/contracts';
export { faultPoint } from '@fundrail/messaging';
export {
  completionOf,
  completionValues,
  KEY_TYPES,
  type IdempotencyKey,
  type KeyCompletion,
} from './http/idempotency/idempotency-key.ts';
export { withoutSecret } from './http/idempotency/without-secret.ts';
export { listOf, listQuery, pageOf, pageQuery, pageSchema, type PageOf } from './http/paging.ts';
export { all, cspHash, escapeHtml, html, Html, nothing } from './http/html.ts';
export { atField, fieldOf, type FieldPrefix } from './http/field-prefix.ts';
export { readForm } from './http/form.ts';
export { pageHeaders, policySources, sendPage, type Page } from './http/page.ts';
export { PAGE_STYLE } from './http/page-style.ts';
export { refusalOf } from './http/errors/error-answer.ts';
export { SAFE_HEADERS, safeHeaders, STRICT_TRANSPORT, type SafeHeaders } from './http/bounds/safe-headers.ts';
export { atPath, first, pathId } from './http/path-id.ts';
export { requestIdOf } from './http/request-id.ts';
export { boundServer, refuseConnection, SERVER_BOUNDS, serverOptions } from './http/bounds/server-bounds.ts';
export { widerForUpstream } from './http/upstream-schema.ts';
