/** Charts the group calculations of a view as bars. */

import { type Html, html, NOTHING } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { GroupEntry, PropertyEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import type { CollectionView } from './collection-entries.ts'
import { groupName } from './collection-groups.ts'
import { calculationName, resultText } from './collection-table.ts'

/** Maximum number of bars. */
const GROUPS_DRAWN = 40

/** A number per group. */
interface Series {
  name: string
  results: { group: GroupEntry; amount: number; label: string }[]
}

export function chartsHtml(call: PageCall, shown: CollectionView): Html {
  const { view, answer, schema } = shown
  const groups = (answer.groups ?? []).slice(0, GROUPS_DRAWN)
  const key = view?.groupBy[0]?.property
  if (view === undefined || key === undefined || groups.length === 0) return NOTHING
  const property = schema.properties.find((one) => one.key === key)
  const series = seriesOf(call, shown, groups)
  return html`${series.map((one) => chartHtml(call, one, property))}`
}

function seriesOf(call: PageCall, { view, schema }: CollectionView, groups: readonly GroupEntry[]): Series[] {
  return Object.entries(view?.calculations ?? {}).flatMap(([key, { type: calculation }]) => {
    const property = schema.properties.find((one) => one.key === key)
    const results = groups.flatMap((group) => {
      const amount = group.calculations?.[key]
      if (typeof amount !== 'number') return []
      return [{ group, amount, label: resultText(call, calculation, property, amount) }]
    })
    const of = property?.name ?? (calculation === 'count_all' ? '' : schema.contentPropDetails.name)
    const name = calculation === 'count_all' ? text('Count') : `${of}: ${calculationName(calculation)}`
    return results.length === 0 ? [] : [{ name, results }]
  })
}

/** Bars start at zero, and extend to both sides if there are negative amounts. */
function chartHtml(call: PageCall, { name, results }: Series, property: PropertyEntry | undefined): Html {
  const low = Math.min(0, ...results.map(({ amount }) => amount))
  const high = Math.max(0, ...results.map(({ amount }) => amount))
  const scale = high === low ? 0 : 100 / (high - low)
  const bar = (amount: number) => {
    const from = (Math.min(0, amount) - low) * scale
    const width = Math.abs(amount) * scale
    return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${from.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="10"/></svg>`
  }
  return html`<figure class="chart"><figcaption>${name}</figcaption><dl>${results.map(
    ({ group, amount, label }) =>
      html`<div><dt>${groupName(call, property, group)}</dt><dd>${bar(amount)}<span>${label}</span></dd></div>`,
  )}</dl></figure>
`
}
