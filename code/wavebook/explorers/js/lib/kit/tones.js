// @ts-check
// Tones one after another. They begin when they are asked for, and never by themselves.

const LOUD = 0.1; // of what the computer can

/**
 * What plays tones; `changed` is called when they begin and when they end.
 * @param {() => void} changed
 */
export function makeTones(changed) {
  /** @type {AudioContext | undefined} */
  let context;
  const stop = () => {
    context?.close();
    context = undefined;
    changed();
  };
  return {
    stop,
    plays: () => Boolean(context),
    /**
     * @param {number[]} pitches in Hz
     * @param {number} seconds that each lasts
     */
    play(pitches, seconds) {
      const own = new AudioContext();
      context = own;
      const [tone, volume] = [own.createOscillator(), own.createGain()];
      const begins = own.currentTime + 0.05;
      pitches.forEach((pitch, n) => tone.frequency.setValueAtTime(pitch, begins + n * seconds));
      volume.gain.value = LOUD;
      tone.connect(volume);
      volume.connect(own.destination);
      tone.start(begins);
      tone.stop(begins + pitches.length * seconds);
      tone.onended = () => context === own && stop();
      changed();
    },
  };
}
