/** Commands in groups, such as the seven of `links`: each opens the space, does one thing, and prints its result. */
import { basename } from 'node:path'
import type { OpenSpace } from '../space/open-space.ts'
import type { GroupsAction } from './access/groups-command.ts'
import type { LinksAction } from './access/links-command.ts'
import type { LocksAction } from './access/locks-command.ts'
import type { MembersAction } from './access/members-command.ts'
import type { WebhooksAction } from './access/webhooks-command.ts'
import { openCommandSpace, openSpaceWithOptions, welcome } from './command-space.ts'
import { type Command, commandsInGroup } from './commands.ts'
import type { Options } from './options.ts'
import { type CommandResult, log, printOutput } from './printing.ts'
import type { ProposalsAction } from './proposals-command.ts'
import type { SpacesAction } from './spaces/spaces-command.ts'

/** Exit code for partial success (the missing part is printed), and if a person declines. */
export const EXIT_INCOMPLETE = 1

async function runLinksCommand(options: Options): Promise<void> {
  const { LINK_COLUMNS, runLinks } = await import('./access/links-command.ts')
  const run = (space: OpenSpace) => runLinks(space, subcommandOf(options) as LinksAction, options)
  const { spaces: folder } = options
  if (folder === undefined) return withSpace(options, run)
  const { notServed, sortFolder } = await import('./backup/backup-schedule.ts')
  const { spaces, others } = sortFolder(folder)
  const value: unknown[] = []
  const lines: (readonly string[])[] = []
  const rows: (readonly string[])[] = []
  for (const file of spaces) {
    const space = await openCommandSpace({ ...options, space: file })
    const found = await run(space).finally(() => space.close())
    value.push({ file, links: found.value })
    lines.push(...found.lines.map((fields) => [basename(file), ...fields]))
    rows.push(...(found.table?.rows ?? []).map((fields) => [basename(file), ...fields]))
  }
  for (const file of others) log(notServed(file))
  if (others.length > 0) process.exitCode = EXIT_INCOMPLETE
  const table = { columns: ['Space', ...LINK_COLUMNS], rows }
  printOutput({ value, lines, ...(rows.length > 0 && { table }) }, options)
}

async function runSpacesCommand(options: Options): Promise<void> {
  const { runSpaces } = await import('./spaces/spaces-command.ts')
  const add = async (place: string): Promise<boolean> => {
    const space = await openSpaceWithOptions(place, options)
    try {
      await welcome(space, options)
      return space.isNew
    } finally {
      await space.close()
    }
  }
  printResult(await runSpaces(subcommandOf(options) as SpacesAction, options, add), options)
}

async function runWebhooksCommand(options: Options): Promise<void> {
  const { runWebhooks } = await import('./access/webhooks-command.ts')
  const space = await openCommandSpace(options)
  try {
    printResult(await runWebhooks(space, subcommandOf(options) as WebhooksAction, options), options)
  } finally {
    await space.close()
  }
}

async function runParticipantsCommand(options: Options): Promise<void> {
  const { runParticipants } = await import('./access/participants-command.ts')
  const { memberFields } = await import('./access/members-command.ts')
  const { baseUrl, workDecision } = await import('./access/links-command.ts')
  const { promptPassword } = await import('./access/password-prompt.ts')
  if (options.command === 'participants erase') return runEraseCommand(options)
  const action = subcommandOf(options) as 'add' | 'list' | 'remove'
  const { operand, oauthIssuer: issuer, subject } = options
  const identity = issuer === undefined || subject === undefined ? undefined : { issuer, subject }
  const password = options.password && action === 'add' ? await promptPassword(operand) : undefined
  const change = {
    identity,
    password,
    onlyPassword: options.password,
    base: baseUrl(options),
    decision: workDecision(options),
    ...memberFields(options),
  }
  await withSpace(options, (space) => runParticipants(space, action, operand, change))
}

async function runEraseCommand(options: Options): Promise<void> {
  const { runErase, runEraseAgain } = await import('./erase-command.ts')
  const space = await openCommandSpace(options)
  try {
    printResult(options.again ? await runEraseAgain(space, options.operand) : await runErase(space, options), options)
  } finally {
    await space.close()
  }
}

async function runMembersCommand(options: Options): Promise<void> {
  const { runMembers } = await import('./access/members-command.ts')
  await withSpace(options, (space) => runMembers(space, subcommandOf(options) as MembersAction, options))
}

async function runGroupsCommand(options: Options): Promise<void> {
  const { runGroups } = await import('./access/groups-command.ts')
  await withSpace(options, (space) => runGroups(space, subcommandOf(options) as GroupsAction, options))
}

async function runLocksCommand(options: Options): Promise<void> {
  const { runLocks } = await import('./access/locks-command.ts')
  await withSpace(options, (space) => runLocks(space, subcommandOf(options) as LocksAction, options))
}

async function runProposalsCommand(options: Options): Promise<void> {
  const { runProposals } = await import('./proposals-command.ts')
  await withSpace(options, async (space) => {
    const done = await runProposals(space, subcommandOf(options) as ProposalsAction, options.operand, options)
    if (!done.isComplete) process.exitCode = EXIT_INCOMPLETE
    return done
  })
}

/** The second word of a command. */
const subcommandOf = ({ command }: Options): string => command.split(' ')[1] ?? ''

/** Opens the space for one operation, and prints its result. */
export async function withSpace(options: Options, work: (space: OpenSpace) => Promise<CommandResult>): Promise<void> {
  const space = await openCommandSpace(options)
  try {
    printOutput(await work(space), options)
  } finally {
    await space.close()
  }
}

/** One handler for all commands of a group, such as the four of `participants`. */
function eachOf<Group extends string>(group: Group, run: (options: Options) => Promise<void>) {
  const handlers = commandsInGroup(group).map((command) => [command, run])
  return Object.fromEntries(handlers) as { [One in Extract<Command, `${Group} ${string}`>]: typeof run }
}

export function printResult(done: CommandResult & { isComplete: boolean }, options: Options): void {
  printOutput(done, options)
  if (!done.isComplete) process.exitCode = EXIT_INCOMPLETE
}

export const groupHandlers = {
  ...eachOf('links', runLinksCommand),
  ...eachOf('spaces', runSpacesCommand),
  ...eachOf('webhooks', runWebhooksCommand),
  ...eachOf('participants', runParticipantsCommand),
  ...eachOf('members', runMembersCommand),
  ...eachOf('groups', runGroupsCommand),
  ...eachOf('locks', runLocksCommand),
  ...eachOf('proposals', runProposalsCommand),
}
