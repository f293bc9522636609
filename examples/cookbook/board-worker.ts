/**
 * Board worker: works on the cards of a board until none is left. Start as many as you like, on any machine.
 *
 *     REST_URL=… COLLECTION=… node board-worker.ts
 *
 * The board has a column Status with the options To do, Doing and Done, and a column Result of the type text.
 */
const { REST_URL, COLLECTION: collectionId } = process.env
if (REST_URL === undefined || collectionId === undefined)
  throw new Error('Expected the REST address of a link in REST_URL and the ID of a board in COLLECTION, found none.')

interface Answer {
  items: { id: string; fence: number; title: string }[]
  error?: string
}

async function call(method: string, path: string, body: object, key?: string) {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) }
  for (;;) {
    const response = await fetch(REST_URL + path, { method, headers, body: JSON.stringify(body) }).catch(
      () => undefined,
    )
    // The server was away or busy: a repeated call with its key takes effect once.
    if (response === undefined || response.status === 429 || response.status >= 500) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      continue
    }
    return { status: response.status, json: (await response.json()) as Answer }
  }
}

async function work(title: string): Promise<string> {
  return `${title}, done by ${process.pid}`
}

const filters = [{ property: 'status', filterType: 'select_isAnyOf', filterValue: ['To do'] }]
for (;;) {
  const claim = { collectionId, filters, set: { status: 'Doing' }, lease: 300 }
  const { status, json } = await call('POST', '/items/claim', claim, crypto.randomUUID())
  // A retried claim whose lease has ended in the meantime: claim again.
  if (status === 409) continue
  if (status !== 200) throw new Error(json.error)
  const [item] = json.items
  if (item === undefined) break
  const properties = { status: 'Done', result: await work(item.title) }
  const itemsToUpdate = [{ id: item.id, fence: item.fence, release: true, properties }]
  const done = await call('PUT', `/collections/${collectionId}/items`, { itemsToUpdate }, crypto.randomUUID())
  console.log(done.status === 409 ? `${item.title}: somebody else has it now` : item.title)
}
