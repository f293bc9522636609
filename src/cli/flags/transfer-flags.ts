/** Flags of backups, imports and exports, and of how results are printed. */
import { EXPORT_FORMATS, LINK_STYLES } from '../../export/export-formats.ts'
import { IMPORT_FORMATS } from '../../import/format-names.ts'
import { HISTORY_COMMANDS, HOST_COMMANDS, LINK_COMMANDS, WEBHOOK_COMMANDS } from '../command-sets.ts'
import { commandsInGroup } from '../commands.ts'
import type { Flag } from './flag.ts'
import { choiceOf, parseCount, parseInterval } from './parsers.ts'

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

export const transferFlags = {
  to: {
    value: 'FILE|FOLDER',
    about:
      'The destination: a new file, or a folder. The name of a backup in a folder contains the time. An export is a zip if the name ends in `.zip`.',
    onlyFor: ['backup', 'export'],
  },
  'backup-to': {
    value: 'FOLDER',
    about: 'Back up each space to this folder: at start if a backup is due, then at every interval.',
    see: 'backup.md',
    onlyFor: ['serve'],
  },
  every: {
    value: 'TIME',
    about: 'The time between two backups, such as `12h`. Default: 24h.',
    parse: parseInterval,
    fallback: 24 * 60 * 60_000,
    onlyFor: ['serve'],
  },
  keep: {
    value: 'N',
    about: 'How many backups of a space to keep in the folder; older ones are removed. Default: all.',
    parse: parseCount,
    onlyFor: ['backup', 'serve'],
  },
  'keep-access': {
    about: 'Keep access links and sign-ins as they were at the time of the backup, including those revoked since.',
    onlyFor: ['restore'],
  },
  replace: {
    about: 'Replace the space even if the backup is of another space. The replaced space is kept beside it.',
    onlyFor: ['restore'],
  },
  as: {
    value: [...new Set([...IMPORT_FORMATS, ...EXPORT_FORMATS])].join('|'),
    about: `The format. Of an import: ${code(IMPORT_FORMATS)}; it is detected by default. Of an export: ${code(EXPORT_FORMATS)}. Default: \`obsidian\`.`,
    see: 'import-export.md',
    onlyFor: ['import', 'export'],
  },
  passphrase: {
    about:
      'Encrypt the secrets in an export with `--as json`, or decrypt them in an import, with a passphrase that is read from the terminal or from the first line of standard input. Without it, secrets are left out, and the report lists them.',
    onlyFor: ['import', 'export'],
  },
  collections: {
    about:
      'Turn each folder of notes with properties into a collection, with the notes as items. For Markdown and Obsidian.',
    onlyFor: ['import'],
  },
  links: {
    value: LINK_STYLES.join('|'),
    about:
      'How links are written: `[words](Note.md)` or `[[Note]]`. Default: as in the notes that were imported, otherwise `relative`.',
    parse: choiceOf(LINK_STYLES),
    onlyFor: ['export'],
  },
  'no-ids': {
    about:
      'Leave the IDs and times of documents out of the front matter. Documents that were imported and not changed are then written byte for byte as they were.',
    see: 'import-export.md',
    onlyFor: ['export'],
  },
  delete: {
    about:
      'Move documents to the trash if their files are no longer in the source. Documents that changed in the space since are kept and reported.',
    onlyFor: ['import'],
  },
  watch: {
    about: 'Keep running, and write what changes, until stopped. To a folder, as Markdown.',
    onlyFor: ['export'],
  },
  into: {
    value: 'FOLDER',
    about:
      'The folder of the space to import into: its ID, or its name, with `/` between nested folders. Default: the top level.',
    onlyFor: ['import'],
  },
  repair: {
    about:
      'Fix what can be fixed without loss: file permissions, the log, indexes, counts, files without a block. In a database: the counts of bytes.',
    onlyFor: ['doctor'],
  },
  json: {
    about: 'Print JSON.',
    onlyFor: [
      ...HOST_COMMANDS,
      ...LINK_COMMANDS,
      ...WEBHOOK_COMMANDS,
      ...commandsInGroup('participants'),
      ...commandsInGroup('members'),
      ...commandsInGroup('groups'),
      ...commandsInGroup('locks'),
      ...commandsInGroup('proposals'),
      'settings',
      ...commandsInGroup('spaces'),
      'log',
      'log verify',
      ...HISTORY_COMMANDS,
      'history forget',
      'restore-version',
      'import',
      'export',
      'doctor',
      'backup',
      'restore',
      'trash empty',
      'compact',
    ],
  },
} as const satisfies Record<string, Flag>
