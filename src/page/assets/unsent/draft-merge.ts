/** What was typed into one form in several tabs, in one draft. */

/** The changed fields of a form, by name and place: what the server rendered, and what was filled in. */
export type FormDraft = Record<string, { before: string; value: string }>

/**
 * Merges drafts of a form. Texts stand one below the other, each once; of other values, the last one counts.
 *
 * @param isText  true for fields that a person types into
 */
export function mergeDrafts(drafts: readonly FormDraft[], isText: (name: string) => boolean): FormDraft {
  const merged: FormDraft = {}
  for (const [name, { before, value }] of drafts.flatMap((draft) => Object.entries(draft))) {
    const earlier = merged[name]
    merged[name] = {
      before: earlier?.before ?? before,
      value: earlier === undefined || !isText(name) ? value : together(earlier.value, value),
    }
  }
  return merged
}

function together(one: string, other: string): string {
  if (one.includes(other)) return one
  return other.includes(one) ? other : `${one}\n${other}`
}
