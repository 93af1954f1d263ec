// What a figure does, by the number in a sample.
export const MODES = ['start', 'falling', 'animation', 'getup'];
