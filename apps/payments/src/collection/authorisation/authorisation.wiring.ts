import { AuthorisationAnswers } from './authorisation-answers.ts';
import { FindAuthorisationTerms } from './authorisation-terms.ts';
import { AuthorisationController } from './authorisation.controller.ts';
import { AuthoriseMandate } from './authorise-mandate.ts';
import { InternalAuthorisationController } from './internal-authorisation.controller.ts';
import { Registrations } from './registrations.ts';
import { SendCollectAuthorisation } from './send-collect-authorisation.ts';
import { ShowAuthorisation } from './show-authorisation.ts';
import { StartAuthorisation } from './start-authorisation.ts';
import { StoreAuthorisation } from './store-authorisation.ts';
import { TakeMandateFact } from './take-mandate-fact.ts';

/** The parts of mandate authorisation. */
export const authorisations = {
  controllers: [AuthorisationController, InternalAuthorisationController],
  providers: [
    AuthorisationAnswers,
    AuthoriseMandate,
    FindAuthorisationTerms,
    Registrations,
    SendCollectAuthorisation,
    ShowAuthorisation,
    StartAuthorisation,
    StoreAuthorisation,
    TakeMandateFact,
  ],
};
