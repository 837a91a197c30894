import { readdirSync, readFileSync } from 'node:fs';
import { parseJson, type EventType } from '@fundrail/contracts';

const FOLDER = new URL('../../libs/contracts/src/events/golden/', import.meta.url);

/** An example of an event's data. `variant` is empty for the plain one: `payment.updated.late-success.json` has one. */
export interface Golden {
  readonly file: string;
  readonly type: EventType;
  readonly variant: string;
  /** Keeps its numbers as written: amounts keep their four places. */
  readonly data: { readonly object: { readonly id: number | string } };
}

/** Every golden file of the catalogue, by name. */
export function goldenFiles(): Golden[] {
  return readdirSync(FOLDER).map((file) => {
    const [kind, word, variant] = file.replace(/\.json$/, '').split('.');
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    return {
      file,
      type: `${kind}.${word}` as EventType,
      variant: variant ?? '',
      data: parseJson(text) as Golden['data'],
    };
  });
}
