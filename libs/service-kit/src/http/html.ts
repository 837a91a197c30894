const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe as it stands. */
export class Html {
  constructor(readonly text: string) {}
}

/** A template whose values are escaped, unless they are `Html` themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const printed = values.map((value) => (value instanceof Html ? value.text : escaped(String(value))));
  return new Html(String.raw({ raw: parts }, ...printed));
}

export const nothing = new Html('');

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
