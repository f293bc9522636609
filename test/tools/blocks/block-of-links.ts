/** A long block of links, every second of which leads out of the reach of a selected connection. */
import { openSpace } from '../../../src/space/open-space.ts'
import { callerOf } from '../../bench/workbench.ts'

interface Items {
  items: { id: string }[]
}

/** @param pairs  pairs of links in the block */
export async function addBlockOfLinks(pairs: number) {
  const open = await openSpace(':memory:', { name: 'Long', timezone: 'Europe/Budapest' })
  const full = callerOf(open, await open.createAccessLink('full', [], 'tester'))
  const { items } = await full<Items>('documents_add', { documents: [{ title: 'Within' }, { title: 'Hidden' }] })
  const [within = '', hidden = ''] = items.map(({ id }) => id)
  const pair = `[a](block://${within}) [b](block://${hidden}) `
  const blocks = [{ type: 'text', markdown: pair.repeat(pairs) }]
  const added = await full<Items>('blocks_add', { blocks, position: { position: 'end', pageId: within } })
  const selected = callerOf(open, await open.createAccessLink('selected', [within], 'tester'))
  return { open, full, selected, id: added.items[0]?.id ?? '', hidden, pair }
}
