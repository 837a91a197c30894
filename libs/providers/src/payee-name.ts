/**
 * Whether a payee's name, as a provider or a bank writes it, is the operator's. They may choose case, spacing, punctuation and the
 * width of letters: NPCI prescribes none, and banks print names in capitals. Letters, digits and their order must match.
 */
export function isSamePayee(written: string, operator: string): boolean {
  const [one, other] = [lettersOf(written), lettersOf(operator)];
  return one === '' ? written.trim() === operator.trim() : one === other;
}

function lettersOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
