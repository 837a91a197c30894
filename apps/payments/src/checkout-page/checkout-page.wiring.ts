import { ActOnCheckout } from './act-on-checkout.ts';
import { BeginAttempt } from './begin-attempt.ts';
import { CheckoutPageController } from './checkout-page.controller.ts';
import { FirstVisit } from './first-visit.ts';
import { PageSessions } from './page-session.ts';
import { RecordAttempt } from './record-attempt.ts';
import { ShowCheckout } from './show-checkout.ts';
import { StartOnPage } from './start-on-page.ts';
import { TryAgain } from './try-again.ts';

/** What the hosted page is made of, for the service's module. */
export const checkoutPage = {
  controllers: [CheckoutPageController],
  providers: [
    ActOnCheckout,
    BeginAttempt,
    FirstVisit,
    PageSessions,
    RecordAttempt,
    ShowCheckout,
    StartOnPage,
    TryAgain,
  ],
};
