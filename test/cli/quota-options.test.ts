import { expect, test } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { folder } from '../program.ts'

const GB = 1_000_000_000

test.each([
  [[], {}],
  [['--spaces', 'FOLDER'], { space: 10 * GB }],
  [['--database', 'postgres://user@localhost/db'], { space: 10 * GB }],
  [['--spaces', 'FOLDER', '--quota', '0'], {}],
  [['--quota', '512MiB', '--link-quota', '1.5 GB'], { space: 512 * 1024 ** 2, link: 1.5 * GB }],
  [['--link-quota', '100kb'], { link: 100_000 }],
])('serve %j has the quotas %j', (args, quotas) => {
  const flags = args.map((one) => (one === 'FOLDER' ? folder() : one))
  expect(parseOptions(['serve', ...flags], {}).quotas).toEqual(quotas)
})

test('they can be set in the environment, and other commands have none', () => {
  const environment = { SCRIPTORIUM_QUOTA: '2GB', SCRIPTORIUM_LINK_QUOTA: '1GB' }
  expect(parseOptions(['serve'], environment).quotas).toEqual({ space: 2 * GB, link: GB })
  expect(parseOptions(['stdio'], environment).quotas).toBeUndefined()
})

test.each(['10', '-1GB', '1 PB', 'GB', '1e3GB', '9999999999999TB'])('%s is no size', (size) => {
  expect(() => parseOptions(['serve', `--quota=${size}`], {})).toThrow(
    `Expected a size such as 10GB or 512MiB as --quota, 0 for no limit, found ${size}.`,
  )
})
