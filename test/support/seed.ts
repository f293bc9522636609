/**
 * Properties try the same values in each run of `npm test`, so that a change is refused for what it breaks and never by
 * chance. Runs that try more (`FC_RUNS=long` every night, or a number) take new values each time.
 */
import fc from 'fast-check'

const SEED = 20261127

if ((process.env.FC_RUNS ?? '') === '') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
