// What commands and steps have in common.

/** Length of a step, seconds. */
export const FRAME = 1 / 60;

/** Returns a name as a command takes it. */
export const quoted = name => `"${name.replaceAll('"', '""')}"`;
