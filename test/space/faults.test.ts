import { expect, test } from 'vitest'
import { invalid } from '../../src/base/errors.ts'
import { MAX_FIELD_ERRORS } from '../../src/base/limits.ts'
import { InputErrors } from '../../src/space/model/input-errors.ts'

test('errors are reported together, each with its path', () => {
  const faults = new InputErrors()
  faults.throwIfAny()
  faults.add('a', 'Expected one.')
  expect(faults.attempt('b', () => 'read')).toBe('read')
  const refused = () => {
    throw invalid('Expected another.')
  }
  expect(faults.attempt('c', refused)).toBeUndefined()
  const details = [
    { path: 'a', message: 'Expected one.' },
    { path: 'c', message: 'Expected another.' },
  ]
  expect(() => faults.throwIfAny()).toThrow(
    expect.objectContaining({ message: 'At a: Expected one. (1 more in details)', details }),
  )
})

test('other errors are thrown on', () => {
  const faults = new InputErrors()
  expect(() => faults.addError('a', new TypeError('not a function'))).toThrow(TypeError)
})

test('of many errors only so many are kept that the rest can be mentioned', () => {
  const faults = new InputErrors()
  for (let index = 0; index < MAX_FIELD_ERRORS; index++) faults.add(`items[${index}]`, 'Expected one.')
  expect(faults.hasTooMany).toBe(false)
  for (let index = 0; index < MAX_FIELD_ERRORS; index++) faults.add('further', 'Expected one.')
  expect(faults.hasTooMany).toBe(true)
  expect(() => faults.throwIfAny()).toThrow('At items[0]: Expected one. (99 more in details, and others)')
})
