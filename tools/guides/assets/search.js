// The search of the guides and of the operations, in the page: search.json is loaded when it is first used.
{
  const MOST = 15;
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  let entries;

  const load = () => {
    entries ??= fetch('/docs/guides/search.json').then((answer) => answer.json());
    return entries;
  };

  /** All words must be in an entry. One with them in its heading comes before one with them in its text. */
  const matches = (all, asked) => {
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return null;
    const scored = all.flatMap((entry) => {
      const heading = `${entry.page} ${entry.heading}`.toLowerCase();
      const whole = `${heading} ${entry.text.toLowerCase()}`;
      if (!words.every((word) => whole.includes(word))) return [];
      return [{ entry, score: words.filter((word) => heading.includes(word)).length }];
    });
    return scored.sort((one, other) => other.score - one.score).map(({ entry }) => entry);
  };

  const show = (entries) => {
    found.replaceChildren();
    if (entries === null) return;
    const count = document.createElement('p');
    count.textContent = entries.length === 0 ? 'Nothing found' : `Found: ${entries.length}`;
    const list = document.createElement('ul');
    for (const { page, heading, href } of entries.slice(0, MOST)) {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = href;
      link.textContent = heading;
      const where = document.createElement('small');
      where.textContent = page;
      item.append(link, where);
      list.append(item);
    }
    found.append(count, list);
  };

  input.addEventListener('input', async () => {
    const asked = input.value;
    const all = await load();
    if (asked === input.value) show(matches(all, asked));
  });
  document.getElementById('search-form').addEventListener('submit', (event) => {
    event.preventDefault();
    found.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(null);
  });
  found.addEventListener('click', () => show(null));
}
