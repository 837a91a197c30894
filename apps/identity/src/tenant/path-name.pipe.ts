import { ApiError } from '@fundrail/contracts';
import type { PipeTransform } from '@nestjs/common';

/** The characters of a tenant's name or a client's id. Other text cannot be a name, and PostgreSQL would not accept all of it. */
const NAME = /^[\w.-]{1,100}$/;

/** Whether the text may be a tenant's name or a client's id. */
export function mayBeName(text: string): boolean {
  return NAME.test(text);
}

/** A name in a path. Throws `ApiError` NOT_FOUND for text that cannot be a name. */
export class PathName implements PipeTransform<string, string> {
  transform(text: string): string {
    if (!mayBeName(text)) throw new ApiError('NOT_FOUND');
    return text;
  }
}
