Promise.all([
  fetch('/openapi.json').then((answer) => answer.text()),
  fetch('/sandbox/seed').then((answer) => (answer.ok ? answer.json() : {})),
]).then(([text, seed]) => {
  const seeded = { invp: seed.investor_profile, bac: seed.bank_account, mfia: seed.mf_investment_account };
  const spec = JSON.parse(text, (key, value) => {
    if (typeof value === 'string')
      return value.replace(
        /^(invp|bac|mfia)_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b$/,
        (id, kind) => seeded[kind] ?? id,
      );
    return key === 'bank_account_id' && typeof value === 'number' ? (seed.bank_account_id ?? value) : value;
  });
  SwaggerUIBundle({ spec, dom_id: '#reader', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
});
