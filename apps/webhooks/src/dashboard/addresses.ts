/** Where the dashboard stands. */
export const DASHBOARD = '/webhooks';

export const ENDPOINTS = `${DASHBOARD}/endpoints`;
export const SESSION = `${DASHBOARD}/session`;

export const endpointAddress = (id: string) => `${ENDPOINTS}/${id}`;
export const deliveryAddress = (id: string) => `${DASHBOARD}/deliveries/${id}`;

// Letters, digits and what ids and our queries have: no `//`, no scheme, no `..`.
const OWN_PAGE = /^\/webhooks(?:\/[\w-]+)+(?:\?[\w=&-]*)?$/;

/** The page to show after signing in: the one asked for when it is one of the dashboard, else the endpoints. */
export function pageAfter(asked: string | undefined): string {
  return asked !== undefined && OWN_PAGE.test(asked) ? asked : ENDPOINTS;
}

/** The sign-in page that leads back to what was asked for: to the page that a button stood on, for what it posted, and without its word of what was done. */
export function signInAddress({ method, url }: { readonly method: string; readonly url: string }): string {
  const page = method === 'POST' ? url.slice(0, url.lastIndexOf('/')) : url.replace(/\?done=\w+$/, '');
  return OWN_PAGE.test(page) ? `${DASHBOARD}?to=${encodeURIComponent(page)}` : DASHBOARD;
}
