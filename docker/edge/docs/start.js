const button = document.getElementById('sign-in');
const state = document.getElementById('signed-in');
const reader = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reader',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  onComplete: () => void offerSignIn(),
});

async function offerSignIn() {
  const seed = await fetch('/sandbox/seed');
  if (!seed.ok) return;
  const { tenant, client } = await seed.json();
  button.addEventListener('click', () => void signIn(tenant, client));
  button.hidden = false;
}

async function signIn(tenant, { client_id, client_secret }) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch('/v2/auth/' + encodeURIComponent(tenant) + '/token', { method: 'POST', body });
  const { access_token, expires_in } = await answer.json();
  if (answer.ok) reader.preauthorizeApiKey('access_token', access_token);
  state.textContent = answer.ok
    ? 'Signed in as ' + client_id + ' for ' + Math.floor(expires_in / 60) + ' minutes'
    : 'The sign-in failed: ' + answer.status;
}
