/**
 * Spaces from before the oldest schema that this program migrates. The program of another commit brings them to that
 * schema.
 */

/** The last commit that migrates every earlier schema. */
const UPGRADING_COMMIT = '29836bdd'

/** What to do about a space whose schema is too old, as the end of a sentence. */
export const OPEN_EARLIER_FIRST = `open it with commit ${UPGRADING_COMMIT} of Scriptorium once, and then with this one`

/** The same about a backup. */
export const RESTORE_EARLIER_FIRST = `restore it with commit ${UPGRADING_COMMIT} of Scriptorium, open it with that, and make a new backup`

/** The same about an export of a whole space. */
export const EXPORT_AGAIN_FIRST = `import it with commit ${UPGRADING_COMMIT} of Scriptorium, and export it again`
