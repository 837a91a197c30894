/**
 * All that runs on the pages, allowed by its hash. Every page works without it: it goes to the bank and back to the client
 * by itself, counts down, and asks every 3 seconds whether the page still shows what is so.
 */
export const CHECKOUT_SCRIPT = `
(() => {
  const find = (selector) => document.querySelector(selector);
  const back = find('form[data-auto]');
  if (back) return back.submit();
  const bank = find('a[data-auto]');
  if (bank) return location.replace(bank.href);
  const live = find('[data-status]');
  if (!live) return;
  const clock = find('[data-clock]');
  const news = find('[data-news]');
  let ends = performance.now() + Number(live.dataset.left) * 1000;
  let told = Infinity;
  const two = (count) => String(count).padStart(2, '0');
  const tick = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    const minutes = Math.floor(left / 60);
    if (clock) clock.textContent = minutes + ':' + two(left % 60);
    const due = left === 0 ? 0 : left <= 60 ? 1 : left <= 300 ? 5 : Infinity;
    if (news && due < told && due > 0) {
      told = due;
      news.textContent = due === 1 ? news.dataset.last : news.dataset.minutes.replace('{minutes}', String(Math.ceil(left / 60)));
    }
  };
  const look = async () => {
    try {
      const answer = await fetch(live.dataset.status, { cache: 'no-store' });
      if (answer.ok) {
        const { state, seconds_left } = await answer.json();
        if (state !== live.dataset.state) return location.replace(live.dataset.page);
        ends = performance.now() + seconds_left * 1000;
      }
    } catch {}
    setTimeout(look, document.hidden ? 10000 : 3000);
  };
  document.documentElement.classList.add('live');
  tick();
  setInterval(tick, 1000);
  setTimeout(look, 1500);
})();
`;
