/** The end of a switch over words that a schema has let through: the compiler sees that none is left out. */
export function impossible(unknown: never): never {
  throw new Error(`the schema let an unknown word through: ${JSON.stringify(unknown)}`);
}
