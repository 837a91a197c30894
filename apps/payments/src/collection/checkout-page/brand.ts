import type { TenantFacts } from '@fundrail/contracts';
import { html, nothing, type Html } from '@fundrail/service-kit/http';
import { CHECKOUT_PATH } from './checkout-token.ts';
import type { Say } from './texts.ts';

/** The path of logos. It is below the page's path, so that any proxy routes it to the same service. */
export const LOGO_PATH = `${CHECKOUT_PATH}/logos`;

/** The names and the logo that the page shows. */
export interface Brand {
  /** The name that the investor pays to. */
  readonly operator: string;
  /** The name of the app that the investor comes from; null when the tenant has not set it. */
  readonly app: string | null;
  /** The app's logo: its address on our origin, its size in pixels. */
  readonly logo: { readonly address: string; readonly width: number; readonly height: number } | null;
}

export function brandOf({ name, settings }: TenantFacts): Brand {
  const { operator_name: operator, display_name: app = null, logo } = settings;
  if (!logo) return { operator, app, logo: null };
  const address = `${LOGO_PATH}/${name}/${logo.sha256}`;
  return { operator, app, logo: { address, width: logo.width, height: logo.height } };
}

/** The name at the top of the page. */
export function nameOf({ app, operator }: Brand): string {
  return app ?? operator;
}

/** The logo has no alternative text: a screen reader reads the name beside it. */
export function logoOf({ logo }: Brand): Html {
  if (!logo) return nothing;
  return html`<img
    class="logo"
    src="${logo.address}"
    alt=""
    width="${logo.width}"
    height="${logo.height}"
  />`;
}

/** The text of the button that leads to the app. */
export function backTo(say: Say, app: string | null): string {
  return app === null ? say('go_back') : say('go_back_to', { app });
}

/** The text above that button while the page redirects by itself. */
export function goingTo(say: Say, app: string | null): string {
  return app === null ? say('going_back') : say('going_back_to', { app });
}
