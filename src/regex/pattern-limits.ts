/** Size limits of a pattern, so that compiling it takes milliseconds. */

/** Characters of a pattern. */
export const PATTERN_LENGTH = 1_000
/** Largest count of `{n,m}`. Counts of nested repetitions are multiplied. */
export const PATTERN_REPETITIONS = 1_000
/** Instructions of a compiled pattern: about one per character, class or alternative, with repetitions expanded. */
export const PATTERN_STEPS = 10_000
/** Lookaheads and lookbehinds in a pattern. */
export const PATTERN_LOOKAROUNDS = 8
