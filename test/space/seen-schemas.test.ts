import { expect, test } from 'vitest'
import { SeenByCall, SeenSchemas } from '../../src/space/model/seen-schemas.ts'

const schema = (size: number) => ({ properties: new Set([1]), options: new Set(Array(size).keys()) })

test('memory holds a number of options, however many collections and connections have them', () => {
  const seen = new SeenSchemas(1_000)
  const call = new SeenByCall(seen)
  for (const id of ['a', 'b', 'c']) call.note({ id }, 1, schema(400))
  call.store()
  const kept = ['a', 'b', 'c'].map((id) => new SeenByCall(seen).of({ id }, 1)?.options.size)
  expect(kept).toEqual([undefined, 400, 400])
})

test('a schema that is read again counts once', () => {
  const seen = new SeenSchemas(1_000)
  for (const id of ['a', 'b', 'b', 'b']) {
    const call = new SeenByCall(seen)
    call.note({ id }, 1, schema(400))
    call.store()
  }
  expect(new SeenByCall(seen).of({ id: 'a' }, 1)).toBeDefined()
})
