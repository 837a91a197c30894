import { paymentFacts } from '@fundrail/contracts';
import type { PaymentFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Tells a payment whose URI has not been issued yet from one that nobody ever made: the played provider knows neither. */
@Injectable()
export class KnownPayments {
  constructor(private readonly services: ServiceClient) {}

  /** Null when payments know no such payment. Throws `ApiError` (503) when payments are silent. */
  find(id: number): Promise<PaymentFacts | null> {
    return this.services.find('payments', `/internal/payments/${id}`, paymentFacts);
  }
}
