import { ApiError } from '@fundrail/contracts';
import type { PipeTransform } from '@nestjs/common';

/** What a tenant's name and a client's id are made of. Anything else names nothing, and PostgreSQL would not take all of it. */
const NAME = /^[\w.-]{1,100}$/;

/** Whether the text may be a tenant's name or a client's id. */
export function mayBeName(text: string): boolean {
  return NAME.test(text);
}

/** A name in a path. Throws `ApiError` NOT_FOUND for a text that can be nobody's. */
export class PathName implements PipeTransform<string, string> {
  transform(text: string): string {
    if (!mayBeName(text)) throw new ApiError('NOT_FOUND');
    return text;
  }
}
