import { TenantLogos } from '../../outside/tenant-logos.ts';
import { ActOnCheckout } from './act-on-checkout.ts';
import { BeginAttempt } from './begin-attempt.ts';
import { CheckoutPageController } from './checkout-page.controller.ts';
import { FirstVisit } from './first-visit.ts';
import { LogoController } from './logo.controller.ts';
import { PageSessions } from './page-session.ts';
import { RecordAttempt } from './record-attempt.ts';
import { ShowCheckout } from './show-checkout.ts';
import { StartOnPage } from './start-on-page.ts';
import { TryAgain } from './try-again.ts';

/** The controllers and providers of the hosted page, for the service's module. */
export const checkoutPage = {
  controllers: [CheckoutPageController, LogoController],
  providers: [
    ActOnCheckout,
    BeginAttempt,
    FirstVisit,
    PageSessions,
    RecordAttempt,
    ShowCheckout,
    StartOnPage,
    TenantLogos,
    TryAgain,
  ],
};
