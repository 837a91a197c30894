/**
 * The only script of the pages, allowed by its hash. Every page works without it. It
 * - redirects to the bank, and back to the client: a result is shown for some seconds first, and a final result redirects only once;
 * - counts down the time left;
 * - fetches the status and reloads the page when it has changed: a second after the page was loaded, every 2 seconds while it is visible,
 *   and immediately when the investor comes back to it. It does not fetch while the page is hidden or a form is being sent, because
 *   a reload would interrupt the form;
 * - shows in place of the ways to pay, after an app was opened, that the bank has to confirm.
 */
export const CHECKOUT_SCRIPT = `
(() => {
  const find = (selector) => document.querySelector(selector);
  const stored = (name, value) => {
    try {
      if (value !== undefined) sessionStorage.setItem(name, value);
      return sessionStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const offline = find('[data-offline]');
  const showOffline = (isOffline) => {
    if (offline) offline.hidden = !isOffline;
  };
  addEventListener('offline', () => showOffline(true));
  addEventListener('online', () => showOffline(false));
  showOffline(!navigator.onLine);
  document.documentElement.classList.add('live');
  const back = find('form[data-auto]');
  if (back) {
    const status = back.elements.status.value;
    const name = 'went back ' + back.elements.paymentId.value + status;
    const isEnd = status !== 'pending';
    if (isEnd && stored(name)) {
      const going = find('.with-script');
      if (going) going.remove();
      return;
    }
    return setTimeout(() => {
      if (isEnd) stored(name, 'yes');
      back.submit();
    }, Number(back.dataset.auto) * 1000);
  }
  const bank = find('a[data-auto]');
  if (bank) return location.replace(bank.href);
  const live = find('[data-status]');
  if (!live) return;
  const clock = find('[data-clock]');
  const news = find('[data-news]');
  let ends = performance.now() + Number(live.dataset.left) * 1000;
  let announced = Infinity;
  const two = (count) => String(count).padStart(2, '0');
  const tick = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    const minutes = Math.floor(left / 60);
    if (clock) clock.textContent = minutes + ':' + two(left % 60);
    const due = left === 0 ? 0 : left <= 60 ? 1 : left <= 300 ? 5 : Infinity;
    if (news && due < announced && due > 0) {
      announced = due;
      news.textContent = due === 1 ? news.dataset.last : news.dataset.minutes.replace('{minutes}', String(Math.ceil(left / 60)));
    }
  };
  let timer = 0;
  let running = null;
  let leaving = false;
  const refresh = async () => {
    clearTimeout(timer);
    if (running) running.abort();
    if (document.hidden || leaving) return;
    const mine = new AbortController();
    running = mine;
    const limit = setTimeout(() => mine.abort(), 8000);
    try {
      const answer = await fetch(live.dataset.status, { cache: 'no-store', signal: mine.signal });
      showOffline(false);
      if (answer.ok) {
        const { state, seconds_left } = await answer.json();
        if (leaving) return;
        if (state !== live.dataset.state) return location.replace(live.dataset.page);
        ends = performance.now() + seconds_left * 1000;
      }
    } catch {
      if (running === mine) showOffline(!navigator.onLine);
    } finally {
      clearTimeout(limit);
    }
    if (running === mine && !document.hidden && !leaving) timer = setTimeout(refresh, 2000);
  };
  const wait = find('[data-wait]');
  const choice = find('[data-choice]');
  const name = 'waits ' + live.dataset.page;
  const waiting = (is) => {
    if (!wait || !choice) return;
    stored(name, is ? live.dataset.state : '');
    wait.hidden = !is;
    choice.hidden = is;
    if (is) find('#waiting-app').focus();
  };
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-app]')) setTimeout(() => waiting(true), 0);
    if (event.target.closest('[data-choose]')) waiting(false);
    if (event.target.closest('[data-paid]')) {
      waiting(true);
      refresh();
    }
  });
  if (stored(name) === live.dataset.state) waiting(true);
  const fold = find('[data-fold]');
  if (fold && !matchMedia('(min-width: 52rem)').matches) fold.open = false;
  document.addEventListener('submit', () => {
    leaving = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      leaving = false;
      refresh();
    }, 15000);
  });
  tick();
  setInterval(tick, 1000);
  document.addEventListener('visibilitychange', refresh);
  addEventListener('pageshow', (event) => {
    leaving = false;
    if (event.persisted) refresh();
    else timer = setTimeout(refresh, 1000);
  });
  addEventListener('online', refresh);
})();
`;
