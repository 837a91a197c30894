import { paymentFacts, type PaymentFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Distinguishes a payment whose URI is not issued yet from one that does not exist: the simulated provider has neither. */
@Injectable()
export class KnownPayments {
  constructor(private readonly services: ServiceClient) {}

  /** Null when the payment does not exist. Throws `ApiError` (503) when the payments service does not respond. */
  find(id: number): Promise<PaymentFacts | null> {
    return this.services.find('payments', `/internal/payments/${id}`, paymentFacts);
  }
}
