/** The process stops in the middle of a move. The move continues after the next start. */
export class MoveInterrupted extends Error {}
