/** A collection with a property of each type, for tests of items. */
import { collectionOf } from '../../collection.ts'
import { type Answer, connect } from '../../connect.ts'

const PROPERTIES = [
  { type: 'text', name: 'Note' },
  { type: 'number', name: 'Price' },
  { type: 'boolean', name: 'Paid' },
  { type: 'date', name: 'Due' },
  { type: 'url', name: 'Site' },
  { type: 'email', name: 'Mail' },
  { type: 'phone', name: 'Phone' },
  { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }, { name: 'Done' }] },
  { type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }, { name: 'b' }] },
  { type: 'relation', name: 'Next' },
  { type: 'blockLink', name: 'Source' },
  { type: 'rating', name: 'Stars' },
  { type: 'person', name: 'Who' },
]
export const VALUES = {
  note: 'a\nb',
  price: -1.5,
  paid: false,
  due: '2028-02-29',
  site: 'https://example.org/?a=b',
  mail: 'ada@example.org',
  phone: '+36 1 234 5678',
  status: 'Done',
  tags: ['b', 'a'],
  stars: 4,
}

export async function withCollection(properties: object[] = PROPERTIES) {
  const connected = await connect()
  const collectionId = await collectionOf(connected, properties)
  const add = (...items: object[]): Promise<Answer> => connected.call('items_add', { collectionId, items })
  const list = (input: object = {}): Promise<Answer> => connected.call('items_list', { collectionId, ...input })
  const update = (...itemsToUpdate: object[]): Promise<Answer> =>
    connected.call('items_update', { collectionId, itemsToUpdate })
  const refused = (...items: object[]) => connected.refused('items_add', { collectionId, items })
  return { ...connected, connected, collectionId, add, list, update, refused }
}
