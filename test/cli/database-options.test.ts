/** Flags that name a database, and flags that cannot be combined with them. */
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'

describe('rejected', () => {
  test.each([
    [
      ['serve', '--database', 'postgres://a/b', '--space', 'x'],
      'Expected --database alone, found --space as well; serve the spaces of a database or those of files.',
    ],
    [
      ['serve', '--database', 'postgres://a/b', '--spaces', 'x'],
      'Expected --database alone, found --spaces as well; serve the spaces of a database or those of files.',
    ],
    [
      ['serve', '--database', 'postgres://u:secret@a/b#c'],
      'Expected the address of a database without # as --database, found postgres://u@a/b#c; name one space of it with --space.',
    ],
    [
      ['serve', '--database', 'notes.sqlite'],
      'Expected the address of a database, such as postgres://user@host/database#space, found another form.',
    ],
    [
      ['serve', '--database', 'postgres://a/b', '--backup-to', 'x'],
      'Expected files of spaces with --backup-to, found a database; back the database up with its own programs, such as pg_dump.',
    ],
    [
      ['serve', '--space', 'postgres://a/b#c', '--backup-to', 'x'],
      'Expected files of spaces with --backup-to, found a database; back the database up with its own programs, such as pg_dump.',
    ],
    [
      ['stdio', '--space', 'notes.sqlite', '--files-bucket', 'https://s3.example/files'],
      'Expected a database with --files-bucket, found a space in a file, whose own files are next to it; leave --files-bucket out, or name a database.',
    ],
    [
      ['serve', '--spaces', 'notes', '--files-bucket', 'https://s3.example/files'],
      'Expected a database with --files-bucket, found a space in a file, whose own files are next to it; leave --files-bucket out, or name a database.',
    ],
    [
      ['doctor', '--files-bucket', 'https://s3.example/files'],
      'Expected a database with --files-bucket, found a space in a file, whose own files are next to it; leave --files-bucket out, or name a database.',
    ],
    [
      ['serve', '--database', 'postgres://a/b', '--files-bucket', 'http://s3.example/files'],
      'Expected the address of a bucket, such as https://s3.eu-west-1.amazonaws.com/bucket/prefix (http on this machine alone), found http to another machine.',
    ],
  ])('%j', (args, message) => {
    expect(() => parseOptions(args, {})).toThrow(message)
  })
})

test('the environment can name a database for the commands that support one, and for no others', () => {
  const env = { SCRIPTORIUM_DATABASE: 'postgres://a/b', SCRIPTORIUM_DATABASE_POOL: '3' }
  expect(parseOptions(['serve'], env)).toMatchObject({ database: 'postgres://a/b', databasePool: 3 })
  expect(parseOptions(['links', 'list', '--space', 'x'], env)).not.toHaveProperty('database')
})

test('the environment can name a bucket for the commands that open spaces with files, and for no others', () => {
  const env = { SCRIPTORIUM_FILES_BUCKET: 'https://s3.example/files' }
  const found = { filesBucket: 'https://s3.example/files' }
  expect(parseOptions(['serve', '--database', 'postgres://a/b'], env)).toMatchObject(found)
  expect(parseOptions(['export', '--space', 'postgres://a/b#c'], env)).toMatchObject(found)
  expect(parseOptions(['backup', '--space', 'x'], env)).not.toHaveProperty('filesBucket')
  expect(parseOptions(['spaces', 'list', '--database', 'postgres://a/b'], env)).not.toHaveProperty('filesBucket')
})
