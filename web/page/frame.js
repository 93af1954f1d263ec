// How a frame is laid out: the worker writes what the page reads.

// Floats of a matrix: three rows of four.
export const MATRIX = 12;
// Floats of a body: its matrix and its state.
export const BODY = MATRIX + 1;
// Floats of a joint: gap, excess, mode, two anchors, twist; and where the last ones begin.
export const JOINT = 10;
export const ANCHORS = 3;
export const TWIST = 9;
// Floats of a contact point: point, normal, and the force as a share of a ragdoll's weight.
export const CONTACT = 7;
// Floats of a sample: time, gap, excess, speed, energy, and the index of the mode.
export const SAMPLE = 6;
// What a figure does, by the number in a sample.
export const MODES = ['start', 'falling', 'animation', 'getup'];
