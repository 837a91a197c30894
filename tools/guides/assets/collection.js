// The collection for Postman, with the address of this page. In a sandbox it also gets the seeded client and the seeded ids.
{
  const link = document.getElementById('collection');
  const SEEDED = { invp: 'investor_profile', bac: 'bank_account', mfia: 'mf_investment_account' };

  const filled = (text, seed) => {
    const withIds = text.replaceAll(/\b(invp|bac|mfia)_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b\b/g, (id, kind) =>
      seed ? (seed[SEEDED[kind]] ?? id) : id,
    );
    const values = { base: location.origin, ...(seed && { tenant: seed.tenant, ...seed.client }) };
    const collection = JSON.parse(withIds);
    for (const variable of collection.variable) variable.value = values[variable.key] ?? variable.value;
    return JSON.stringify(collection, null, 2);
  };

  link.addEventListener('click', async (event) => {
    if (link.href.startsWith('blob:')) return;
    event.preventDefault();
    // Kept, because a second click may have changed the link by the end.
    const { href } = link;
    try {
      const [collection, seed] = await Promise.all([
        fetch(href).then((answer) => answer.text()),
        fetch('/sandbox/seed').then((answer) => (answer.ok ? answer.json() : null)),
      ]);
      link.download = href.split('/').at(-1);
      link.href = URL.createObjectURL(new Blob([filled(collection, seed)], { type: 'application/json' }));
      link.click();
    } catch {
      location.assign(href);
    }
  });
}
