/** What one pattern may be at most, so that compiling it takes milliseconds. */

/** Characters of a pattern. */
export const PATTERN_LENGTH = 1_000
/** Repetitions that `{n,m}` may ask for, with those inside one another multiplied. */
export const PATTERN_REPETITIONS = 1_000
/** Instructions of a compiled pattern: about one for each character, class or alternative, repetitions written out. */
export const PATTERN_STEPS = 10_000
/** Lookaheads and lookbehinds in a pattern. */
export const PATTERN_LOOKAROUNDS = 8
