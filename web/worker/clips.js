// What can be played: the animations of a model, and the poses that only together are one.

/** Poses a second of a sequence: the rate of Quake's models. */
const RATE = 10;

/**
 * Returns the clips of animations: first the animations, by their numbers, then sequences of neighbours with one pose
 * each and one name but for its number, as `run1` to `run6`: `{name, duration, looping, first, count}`.
 */
export function clipsOf(animations) {
  const clips = animations.map(({name, duration, looping}, first) => ({
    name: name ?? '',
    duration,
    looping: looping === 1,
    first,
    count: 1,
  }));
  const stem = number =>
    animations[number].poses === 1 ? (animations[number].name ?? '').replace(/[\s_-]*\d*$/, '') : null;
  for (let first = 0, end; first < animations.length; first = end) {
    const name = stem(first);
    for (end = first + 1; name !== null && end < animations.length && stem(end) === name; ) end++;
    const count = end - first;
    if (count > 1) clips.push({name: name || 'all', duration: count / RATE, looping: true, first, count});
  }
  return clips;
}

/** Returns the animations of a clip at a time, with their times and weights. */
export function blendsOf({first, count, duration}, time) {
  if (count === 1) return [{animation: first, time, weight: 1}];
  const place = (((time % duration) + duration) % duration) * RATE;
  const pose = Math.min(count - 1, Math.floor(place));
  const weight = place - pose;
  return [
    {animation: first + pose, time: 0, weight: 1 - weight},
    {animation: first + ((pose + 1) % count), time: 0, weight},
  ];
}
