// What is drawn over what, from the lowest to the highest.
export const ORDER = {
  shadow: -2,
  grid: -1,
  water: 5,
  bodies: 10,
  boneEdges: 11,
  bones: 11.5,
  joints: 12,
  gaps: 13,
  ranges: 14,
  contacts: 14,
  marks: 20,
  handles: 30,
};
