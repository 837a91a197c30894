import { ApiError, type PaymentFailureCode } from '@fundrail/contracts';
import type { Answer } from '@fundrail/providers';
import type { Started } from './record-attempt.ts';

/** Takes the address from the provider's answer. An address that the investor must not be sent to counts as no answer. */
export function addressed<T>(
  answer: Answer<T, PaymentFailureCode>,
  addressOf: (value: T) => string | null,
  faultOf: (address: string) => string | null = () => null,
): Started {
  if (answer.kind !== 'yes') return answer;
  const address = addressOf(answer.value);
  const fault = address === null ? null : faultOf(address);
  if (fault === null) return { kind: 'yes', value: { address } };
  return { kind: 'unknown', why: 'not_understood', detail: `the address ${fault}` };
}

/** The investor is sent to https, and to plain http only in the sandbox. */
export function bankUrlFault(url: string, sandbox: boolean): string | null {
  const allowed = sandbox ? /^https?:$/ : /^https:$/;
  return allowed.test(URL.parse(url)?.protocol ?? '') ? null : 'is not an address of a bank';
}

/** Null when another service does not answer: the investor keeps the page and can try again. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
    throw error;
  }
}
