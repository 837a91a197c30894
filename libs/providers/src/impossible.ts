/** The end of a switch over the values of a schema: the compiler checks that the switch handles all of them. */
export function impossible(unknown: never): never {
  throw new Error(`the schema let an unknown word through: ${JSON.stringify(unknown)}`);
}
