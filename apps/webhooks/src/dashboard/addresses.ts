/** The path of the dashboard. */
export const DASHBOARD = '/webhooks';

export const ENDPOINTS = `${DASHBOARD}/endpoints`;
export const SESSION = `${DASHBOARD}/session`;

export const endpointAddress = (id: string) => `${ENDPOINTS}/${id}`;
export const deliveryAddress = (id: string) => `${DASHBOARD}/deliveries/${id}`;

// Only the characters of our ids and queries: no `//`, no scheme, no `..`.
const OWN_PAGE = /^\/webhooks(?:\/[\w-]+)+(?:\?[\w=&-]*)?$/;

/** The page to show after signing in: the requested one if it belongs to the dashboard, else the endpoints. */
export function pageAfter(asked: string | undefined): string {
  return asked !== undefined && OWN_PAGE.test(asked) ? asked : ENDPOINTS;
}

/**
 * The URL of the sign-in page that leads back to the requested page. For a posted form, that is the page with the form. The parameter
 * `done` is dropped.
 */
export function signInAddress({ method, url }: { readonly method: string; readonly url: string }): string {
  const page = method === 'POST' ? url.slice(0, url.lastIndexOf('/')) : url.replace(/\?done=\w+$/, '');
  return OWN_PAGE.test(page) ? `${DASHBOARD}?to=${encodeURIComponent(page)}` : DASHBOARD;
}
