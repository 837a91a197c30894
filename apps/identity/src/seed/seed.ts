/** The data of a new sandbox (SAND-14). Its secrets are public: they are in the README. */
export const SEED = {
  tenant: 'demo',
  client: { client_id: 'demo', client_secret: 'demo-secret', scope: '' },
  /** The second tenant, for clients of the upstream interface; it has the same client and investor (COMP-5). */
  upstream: 'demo-upstream',
  admin: { client_id: 'admin', client_secret: 'admin-secret', scope: 'admin' },
  investor: {
    name: 'Asha Rao',
    pan: 'ABCPR1234K',
    date_of_birth: '1990-05-17',
    email: 'asha.rao@example.com',
    mobile: { isd_code: '91', number: '9876543210' },
    tax_status: 'resident_individual',
  },
  bank: {
    primary_account_holder_name: 'Asha Rao',
    account_number: '50100012345678',
    type: 'savings',
    ifsc_code: 'HDFC0001330',
  },
} as const;

/** The operator's own tenant outside the sandbox (AUTH-14). */
export const OPERATOR_TENANT = 'operator';
