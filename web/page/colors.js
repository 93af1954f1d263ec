// Colours of the scene: those of skelobj draw (cli/src/draw/surface.rs).

const rgb = (red, green, blue) => (red << 16) | (green << 8) | blue;

export const MATERIALS = [
  rgb(214, 178, 140),
  rgb(96, 132, 160),
  rgb(178, 104, 84),
  rgb(128, 150, 104),
  rgb(196, 168, 92),
  rgb(140, 116, 158),
];
export const BONE = rgb(236, 226, 204);
// Around bones, which have nearly the colour of skin.
export const BONE_EDGE = rgb(52, 40, 28);
export const WATER = rgb(70, 140, 190);
export const GAP = rgb(224, 16, 32);
export const STOP = rgb(150, 30, 190);
export const CALM = rgb(38, 110, 226);
// Joints that do not hold, and what is chosen in the text.
export const OFF = rgb(141, 152, 164);
export const LIT = rgb(255, 215, 26);
// Where something touches, and the force there.
export const FORCE = rgb(96, 164, 0);
// Where a limb is in the range of its joint.
export const NEEDLE = rgb(214, 40, 96);

// By the state of a body: limp, pulled, approaching, following, quarantined, asleep.
export const STATES = [
  {name: 'limp', color: rgb(236, 108, 12)},
  {name: 'pulled by the animation', color: rgb(206, 158, 0)},
  {name: 'approaching the animation', color: rgb(20, 160, 200)},
  {name: 'following the animation', color: rgb(38, 110, 226)},
  {name: 'out of the simulation', color: rgb(20, 20, 24)},
  {name: 'at rest', color: rgb(16, 150, 92)},
];

export const css = color => `#${color.toString(16).padStart(6, '0')}`;

const LIGHT = {grid: rgb(120, 136, 152), wall: rgb(206, 204, 198), shadow: 0.3, shade: rgb(28, 36, 48), exposure: 1.0};
const DARK = {grid: rgb(104, 120, 138), wall: rgb(112, 118, 126), shadow: 0.55, shade: 0, exposure: 0.92};

export const dark = () => matchMedia('(prefers-color-scheme: dark)').matches;
export const theme = () => (dark() ? DARK : LIGHT);
