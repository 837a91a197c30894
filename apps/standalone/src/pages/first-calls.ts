/** One of the first calls on the start page. */
export interface FirstCall {
  readonly title: string;
  /** What happens, in one sentence. */
  readonly summary: string;
  /** Shell lines that can be pasted as they are, after those of the calls before. */
  readonly shell: string;
}

/** What the calls need to know about the running product. */
export interface Newcomer {
  readonly baseUrl: string;
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly investmentAccount: string;
  /** The contacts of the seeded investment account: consent must match them. */
  readonly consent: { readonly email: string; readonly isd_code: string; readonly mobile: string };
}

/** The ISIN of a real scheme; the sandbox takes any Indian mutual fund's. */
const SCHEME = 'INF209K01VD7';

const HEADERS = `  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\`;

/**
 * The first five calls, from a token to an order that waits for the investor's money. Each stores what the next one needs in a shell
 * variable. They need only `curl` and `sed`.
 */
export function firstCalls(of: Newcomer): FirstCall[] {
  return [getToken(of), createPurchase(of), recordConsent(of), createPayment(of), confirmPurchase(of)];
}

function getToken({ baseUrl, tenant, clientId, clientSecret }: Newcomer): FirstCall {
  return {
    title: 'Get a token',
    summary: 'It is valid for 30 minutes and for this tenant.',
    shell: `TOKEN=$(curl -s ${baseUrl}/v2/auth/${tenant}/token \\
  -d grant_type=client_credentials \\
  -d client_id=${clientId} -d client_secret=${clientSecret} \\
  | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')
echo "$TOKEN"`,
  };
}

function createPurchase({ baseUrl, investmentAccount }: Newcomer): FirstCall {
  return {
    title: 'Create a purchase',
    summary: 'It starts in under_review; within a moment the gateway has reviewed it and it is pending.',
    shell: `PURCHASE=$(curl -s ${baseUrl}/v2/mf_purchases \\
${HEADERS}
  -d '{"mf_investment_account": "${investmentAccount}",
       "scheme": "${SCHEME}", "amount": 5000}')
ID=$(echo "$PURCHASE" | sed -E 's/.*"id":"(mfp_[^"]+)".*/\\1/')
ORDER=$(echo "$PURCHASE" | sed -E 's/.*"old_id":([0-9]+).*/\\1/')
echo "$PURCHASE"; sleep 1`,
  };
}

function recordConsent({ baseUrl, consent }: Newcomer): FirstCall {
  return {
    title: "Record the investor's consent",
    summary: 'It must match the contacts of the investment account, and it can be set once.',
    shell: `curl -s -X PATCH ${baseUrl}/v2/mf_purchases \\
${HEADERS}
  -d '{"id": "'$ID'", "consent": {"email": "${consent.email}",
       "isd_code": "${consent.isd_code}", "mobile": "${consent.mobile}"}}'; echo`,
  };
}

function createPayment({ baseUrl }: Newcomer): FirstCall {
  return {
    title: 'Create a UPI payment',
    summary: 'One payment may cover up to ten orders. It gets its UPI link once they are submitted.',
    shell: `PAYMENT=$(curl -s ${baseUrl}/api/pg/payments/netbanking \\
${HEADERS}
  -d '{"amc_order_ids": ['$ORDER'], "method": "UPI", "upi": {"type": "URI"},
       "payment_postback_url": "http://localhost:8080/done"}' \\
  | sed -E 's/^[^0-9]*"id":([0-9]+).*/\\1/')
echo "payment $PAYMENT"`,
  };
}

function confirmPurchase({ baseUrl }: Newcomer): FirstCall {
  return {
    title: 'Confirm the purchase',
    summary: 'It goes to the gateway, and the payment gets its UPI link.',
    shell: `curl -s -X PATCH ${baseUrl}/v2/mf_purchases \\
${HEADERS}
  -d '{"id": "'$ID'", "state": "confirmed"}'; echo
echo "now pay at ${baseUrl}/sandbox/upi/$PAYMENT"`,
  };
}
