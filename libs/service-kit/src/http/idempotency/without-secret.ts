import { SECRET_NOTICE } from '@fundrail/contracts';

/** The answer to a replay when the first answer showed a secret: `field` is null, and a notice gives the reason. */
export function withoutSecret<T extends object>(body: T, field: keyof T & string): object {
  return { ...body, [field]: null, secret_notice: SECRET_NOTICE };
}
