// @ts-check
// How things move by themselves: a push dies down, and what is at rest is at a whole number.

/**
 * The place and the velocity after a time, where the velocity tends to `calm` and the difference dies down by the factor
 * e in each `fade` seconds. It is solved, not stepped: a slow computer shows the same motion in fewer pictures.
 * @param {number} place
 * @param {number} velocity in places a second
 * @param {number} seconds
 * @param {number} calm
 * @param {number} fade
 * @returns {[place: number, velocity: number]}
 */
export function coasted(place, velocity, seconds, calm, fade) {
  const push = velocity - calm;
  const left = Math.exp(-seconds / fade);
  return [place + calm * seconds + push * fade * (1 - left), calm + push * left];
}

/**
 * The place after a time on the way to the nearest whole number, from which it is a factor e less far in `fade` seconds.
 * @param {number} place
 * @param {number} seconds
 * @param {number} fade
 */
export function settled(place, seconds, fade) {
  const whole = Math.round(place);
  return whole + (place - whole) * Math.exp(-seconds / fade);
}
