/** Does the work of `before.bench.ts` on request, and answers with its processor time in milliseconds. */
const [, , workbench = '', file = ''] = process.argv
const { addDocument, newBlocks, openWorkbench }: typeof import('./workbench.ts') = await import(workbench)

const bench = await openWorkbench(file)
const id = await addDocument(bench, 'Long')
const target = await addDocument(bench, 'Written')
const add = (pageId: string, count = 1_000) =>
  bench.call('blocks_add', { blocks: newBlocks(count), position: { position: 'end', pageId }, answer: 'ids' })
for (let added = 0; added < 10; added++) await add(id)

process.on('message', async (work) => {
  const from = process.cpuUsage()
  if (work === 'read') await bench.call('blocks_get', { id, maxBlocks: 20_000 })
  else if (work === 'write') await add(target)
  else for (let call = 0; call < 50; call++) await add(target, 1)
  const { user, system } = process.cpuUsage(from)
  process.send?.((user + system) / 1000)
})
process.on('disconnect', () => void bench.close())
process.send?.('ready')
