import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { GroupCommit } from '../../storage/group-commit.ts'
import { type Connection, configureConnection } from '../../storage/sqlite/connection.ts'
import { FileGroupCommit } from '../../storage/sqlite/group-commit.ts'
import { runs } from '../support/runs.ts'

/** Creates a group commit on a table of words. A foreign key is checked only at the COMMIT. */
function turnsOf() {
  const connection = configureConnection(new Sqlite(':memory:'))
  onTestFinished(() => void connection.sqlite.close())
  connection.sqlite.exec(`
    CREATE TABLE word (word TEXT PRIMARY KEY, parent TEXT REFERENCES word DEFERRABLE INITIALLY DEFERRED) STRICT`)
  const begun = { count: 0 }
  const forgotten: string[] = []
  const turns = new FileGroupCommit(connection, {
    async begin() {
      begun.count++
      connection.sql('BEGIN IMMEDIATE').run()
    },
    beforeRelease: async () => {},
    discard: () => void forgotten.push('forgotten'),
  })
  const words = () => connection.sql<string>('SELECT word FROM word ORDER BY rowid').pluck().all()
  return { turns, words, begun, forgotten }
}

const add =
  (word: string, parent: string | null = null) =>
  async (tx: Connection) => {
    tx.sql('INSERT INTO word VALUES (?, ?)').run(word, parent)
    return word
  }
const addAndFail = (word: string) => async (tx: Connection) => {
  await add(word)(tx)
  throw new Error(`not ${word}`)
}

const outcomes = async (writes: readonly Promise<string>[]) =>
  (await Promise.allSettled(writes)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))

describe('concurrent writes', () => {
  test('share one transaction, and each has its own result', async () => {
    const { turns, words, begun } = turnsOf()
    const names = Array.from({ length: 20 }, (_, index) => `word ${index}`)
    expect(await outcomes(names.map((name) => turns.run(add(name))))).toEqual(names)
    expect(words()).toEqual(names)
    expect(begun.count).toBeLessThan(names.length)
  })

  test.each([0, 1, 2])('if number %i fails, only that one is rolled back', async (failing) => {
    const { turns, words, forgotten } = turnsOf()
    const names = ['a', 'b', 'c']
    const writes = names.map((name, index) => turns.run(index === failing ? addAndFail(name) : add(name)))
    expect(await outcomes(writes)).toEqual(names.map((name, index) => (index === failing ? `not ${name}` : name)))
    expect(words()).toEqual(names.filter((_, index) => index !== failing))
    expect(forgotten).toHaveLength(1)
  })

  test('if the COMMIT fails, none is acknowledged', async () => {
    const { turns, words } = turnsOf()
    const results = await outcomes([turns.run(add('a')), turns.run(add('b', 'nobody')), turns.run(add('c'))])
    expect(new Set(results)).toEqual(new Set(['FOREIGN KEY constraint failed']))
    expect(words()).toEqual([])
    expect(await turns.run(add('d'))).toBe('d')
  })

  test('if one ends the transaction, those before it fail, and those after it are written', async () => {
    const { turns, words } = turnsOf()
    const ending = async (tx: Connection) => {
      tx.sqlite.exec('ROLLBACK')
      throw new Error('the disk is full')
    }
    const results = await outcomes([turns.run(add('a')), turns.run(ending), turns.run(add('b'))])
    expect(results).toEqual(['the disk is full', 'the disk is full', 'b'])
    expect(words()).toEqual(['b'])
  })
})

/** A transaction whose steps fail when they are named. */
class FailingTurns extends GroupCommit<{ isOpen: boolean }> {
  readonly failing = new Set<string>()

  #step(name: string): void {
    if (this.failing.delete(name)) throw new Error(`${name} failed`)
  }

  protected async begin() {
    this.#step('begin')
    return { isOpen: true }
  }
  protected isOpen(tx: { isOpen: boolean }): boolean {
    return tx.isOpen
  }
  protected async setSavepoint() {
    this.#step('savepoint')
  }
  protected async releaseSavepoint() {
    this.#step('release')
  }
  protected async rollBackToSavepoint() {
    this.#step('roll back to savepoint')
  }
  protected async complete() {
    this.#step('complete')
  }
  protected discard(): void {}
  protected async commit() {
    this.#step('commit')
  }
  protected async rollBack(tx: { isOpen: boolean }) {
    tx.isOpen = false
    this.#step('roll back')
  }
  protected end(): void {
    this.#step('end')
  }
}

describe('a connection that fails', () => {
  const work = (name: string) => async () => {
    if (name === 'fails') throw new Error('not fails')
    return name
  }

  test.each([
    [['begin'], ['begin failed', 'not fails', 'b']],
    [['savepoint'], ['a', 'savepoint failed', 'b']],
    [
      ['savepoint', 'roll back to savepoint'],
      ['roll back to savepoint failed', 'savepoint failed', 'b'],
    ],
    [['roll back to savepoint'], ['roll back to savepoint failed', 'not fails', 'b']],
    [['release'], ['a', 'not fails', 'release failed']],
    [
      ['commit', 'roll back'],
      ['commit failed', 'not fails', 'commit failed'],
    ],
    [['end'], ['a', 'not fails', 'b']],
  ])('at %j settles each write, and lets later ones run', async (failing, expected) => {
    const turns = new FailingTurns()
    for (const step of failing) turns.failing.add(step)
    expect(await outcomes([turns.run(work('a')), turns.run(work('fails')), turns.run(work('b'))])).toEqual(expected)
    expect(await turns.run(work('later'))).toBe('later')
    await turns.idle()
  })
})

describe('writes that take longer than others may wait', () => {
  const MILLISECONDS = 11
  const addSlowly = (word: string) => async (tx: Connection) => {
    const until = performance.now() + MILLISECONDS
    while (performance.now() < until);
    return add(word)(tx)
  }

  test('have a transaction each', async () => {
    const { turns, begun } = turnsOf()
    await outcomes(['a', 'b', 'c'].map((word) => turns.run(addSlowly(word))))
    expect(begun.count).toBe(3)
  })

  test('share one if they are bulk writes', async () => {
    const { turns, words, begun } = turnsOf()
    await outcomes(['a', 'b', 'c'].map((word) => turns.run(addSlowly(word), { isBulk: true })))
    expect(words()).toEqual(['a', 'b', 'c'])
    expect(begun.count).toBeLessThan(3)
  })

  test('end when a write joins them that someone waits for', async () => {
    const { turns, begun } = turnsOf()
    const addInBulk = (word: string) => turns.run(addSlowly(word), { isBulk: true })
    await outcomes([addInBulk('a'), turns.run(add('b')), addInBulk('c')])
    expect(begun.count).toBe(2)
  })
})

test('a transaction that cannot begin is reported, and the next one tries on its own', async () => {
  const connection = configureConnection(new Sqlite(':memory:'))
  onTestFinished(() => void connection.sqlite.close())
  let isHeld = true
  const turns = new FileGroupCommit(connection, {
    async begin() {
      if (isHeld) throw new Error('held')
      connection.sql('BEGIN IMMEDIATE').run()
    },
    beforeRelease: async () => {},
    discard: () => {},
  })
  await expect(turns.run(async () => 1)).rejects.toThrow('held')
  isHeld = false
  expect(await turns.run(async () => 2)).toBe(2)
  await turns.idle()
})

test('whatever fails, the final state is what was acknowledged, in order', async () => {
  const step = fc.record({ fails: fc.boolean(), waits: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { turns, words } = turnsOf()
      const writes: Promise<string>[] = []
      for (const [index, { fails, waits }] of steps.entries()) {
        const write = turns.run((fails ? addAndFail : add)(`word ${index}`))
        write.catch(() => {})
        writes.push(write)
        if (waits) await write.catch(() => {})
      }
      await turns.idle()
      const wanted = steps.flatMap(({ fails }, index) => (fails ? [] : [`word ${index}`]))
      expect(words()).toEqual(wanted)
      expect((await outcomes(writes)).filter((results) => !results.startsWith('not '))).toEqual(wanted)
    }),
    { numRuns: runs(15, 100) },
  )
})
