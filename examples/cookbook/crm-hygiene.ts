/**
 * CRM hygiene: writes all addresses and numbers in a table of contacts in the same way, and marks duplicates. With a
 * link that has access `propose`, a person approves each change: `scriptorium links add --access propose`.
 *
 *     REST_URL=… node crm-hygiene.ts COLLECTION
 *
 * The table has the properties Email, Phone and Note, all of the type text.
 */
import { call, type Items } from './rest.ts'

const [collection] = process.argv.slice(2)
if (collection === undefined) throw new Error('Expected the ID of a table after the name of the program, found none.')

interface Contact {
  id: string
  title: string
  properties: { email?: string; phone?: string; note?: string }
}

/** An address as servers compare it; undefined if it is not an address. */
function tidyEmail(text: string): string | undefined {
  const email = text
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase()
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? email : undefined
}

/** A number with its country code, without spaces and punctuation. */
function tidyPhone(text: string): string | undefined {
  const phone = text.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return /^\+\d{7,15}$/.test(phone) ? phone : undefined
}

/** What to change. A model could also say here whether two contacts with different addresses are one person. */
function changesOf(contact: Contact, others: readonly Contact[]): Contact['properties'] {
  const { email = '', phone = '', note = '' } = contact.properties
  const tidied = tidyEmail(email)
  const first = others.find((other) => tidied !== undefined && tidyEmail(other.properties.email ?? '') === tidied)
  const problem =
    first !== undefined && first.id !== contact.id
      ? `Same address as ${first.title}`
      : email !== '' && tidied === undefined
        ? 'The address cannot be right'
        : undefined
  return {
    ...(tidied !== undefined && tidied !== email && { email: tidied }),
    ...(tidyPhone(phone) !== undefined && tidyPhone(phone) !== phone && { phone: tidyPhone(phone) ?? phone }),
    ...(problem !== undefined && !note.includes(problem) && { note: [note, problem].filter(Boolean).join('. ') }),
  }
}

const { items: contacts } = await call<Items<Contact>>(`GET /collections/${collection}/items?maxDepth=0`)
const itemsToUpdate = contacts.flatMap((contact) => {
  const properties = changesOf(contact, contacts)
  const keys = Object.keys(properties) as (keyof Contact['properties'])[]
  // What was read is expected, so that a change that a person made in the meantime is not overwritten.
  const expected = { properties: Object.fromEntries(keys.map((key) => [key, contact.properties[key] ?? null])) }
  return keys.length === 0 ? [] : { id: contact.id, properties, expected }
})
if (itemsToUpdate.length > 0) await call(`PUT /collections/${collection}/items`, { itemsToUpdate })
console.log(`${itemsToUpdate.length} of ${contacts.length} contacts changed`)
