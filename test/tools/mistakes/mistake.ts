import type { Ids } from '../../support/populated-space.ts'

type Meaning = (ids: Ids) => Record<string, unknown>

/** A likely call of a model, and the call that it means. */
export type Mistake = readonly [what: string, tool: string, wrong: Meaning, right: Meaning]

/** A position at the end of a page. */
export const end = (pageId: string) => ({ position: 'end', pageId })
