/** Flags that say which space is used, and how it is created and opened. */
import { DATABASE_CONNECTIONS } from '../../base/limits.ts'
import { WEEK_STARTS } from '../../space/model/weekdays.ts'
import {
  CREATING_COMMANDS,
  DATABASE_COMMANDS,
  FILES_BUCKET_COMMANDS,
  NON_MIGRATING_COMMANDS,
  SERVER_COMMANDS,
  SETTING_COMMANDS,
  SPACE_COMMANDS,
} from '../command-sets.ts'
import type { Flag } from './flag.ts'
import { choiceOf, parseBucket, parseCount, parseDatabase, parseFolder, parseUrl } from './parsers.ts'

export const spaceFlags = {
  space: {
    value: 'FILE',
    about:
      "The file of the space, or its address in a PostgreSQL database: `postgres://USER:PASSWORD@HOST/DATABASE#NAME`. It is created on first start. Default: a file in the platform's data folder.",
  },
  spaces: {
    value: 'FOLDER',
    about: 'Every space (`*.sqlite`) of a folder instead of one: to serve, to list, or to check.',
    onlyFor: ['serve', 'spaces list', 'links list', 'doctor'],
  },
  database: {
    value: 'ADDRESS',
    about:
      'A PostgreSQL database (15 or newer), `postgres://USER:PASSWORD@HOST/DATABASE`. `serve` serves all its spaces. The address may name several hosts, separated by commas; the one that accepts writes is used. Keep a password in `SCRIPTORIUM_DATABASE` rather than on the command line.',
    see: 'scaling.md',
    parse: parseDatabase,
    onlyFor: DATABASE_COMMANDS,
  },
  'database-pool': {
    value: 'N',
    about: `The maximum number of connections from this process to the database, for all spaces. Default: ${DATABASE_CONNECTIONS}.`,
    parse: parseCount,
    onlyFor: SERVER_COMMANDS,
  },
  'files-bucket': {
    value: 'ADDRESS',
    about:
      'Where the files of a space in a database are stored: `https://HOST/BUCKET/PREFIX` of S3-compatible storage. Credentials come from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Default: in the database, up to 1 MiB each.',
    see: 'files.md#files-in-a-bucket',
    parse: parseBucket,
    onlyFor: FILES_BUCKET_COMMANDS,
  },
  name: {
    value: 'NAME',
    about:
      'The name of a new space. With `settings`, the new name of the space; with `links add`, the name of the link; with `import`, the name of the source, by which a later import recognizes it. All other commands keep the name of an existing space, and report that they ignore the flag.',
    onlyFor: SETTING_COMMANDS,
  },
  timezone: {
    value: 'ZONE',
    about:
      "The IANA time zone of a new space. Default: the system's. With `settings`, the new time zone of the space. All other commands keep the time zone of an existing space, and report that they ignore the flag.",
    onlyFor: SETTING_COMMANDS,
  },
  'week-start': {
    value: 'DAY',
    about:
      'The day on which weeks begin in calendars on the pages: `monday` to `sunday`, or `language` for that of each reader. Default: `language`.',
    parse: choiceOf(WEEK_STARTS),
    onlyFor: ['settings'],
  },
  'date-language': {
    value: 'LANGUAGE',
    about:
      'The language in which the pages write dates and numbers: such as `de` or `en-GB`, or `language` for that of each reader. Default: `language`.',
    onlyFor: ['settings'],
  },
  'editor-url': {
    value: 'URL',
    about:
      'Where people edit documents in a browser: links to documents have the form `URL/d/{spaceId}/{documentId}`. Default: the pages of the space, which `serve` and `open` serve.',
    see: 'page.md',
    parse: parseUrl,
  },
  fonts: {
    value: 'FOLDER',
    about:
      'Fonts for characters on whiteboards that the bundled fonts lack, such as Chinese. System fonts are used as well.',
    parse: parseFolder,
  },
  'no-copy': {
    about: 'Keep no copy of the space before a migration that rebuilds tables.',
    onlyFor: SPACE_COMMANDS.filter((command) => !NON_MIGRATING_COMMANDS.includes(command)),
  },
  'no-welcome': {
    about: 'Create a new space without the welcome document.',
    see: 'cli.md#the-welcome-document',
    onlyFor: CREATING_COMMANDS,
  },
} as const satisfies Record<string, Flag>
