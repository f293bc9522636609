/** The endpoints that pages call, with the types of what they are given and what they answer. */
import type { ToolCalls } from '../../tools/index.ts'
import type { groupEndpoints } from '../auth/access-links/group-endpoints.ts'
import type { linkEndpoints } from '../auth/access-links/link-endpoints.ts'
import type { lockEndpoints } from '../auth/access-links/lock-endpoints.ts'
import type { memberEndpoints } from '../auth/access-links/member-endpoints.ts'
import type { participantEndpoints } from '../auth/access-links/participant-endpoints.ts'
import type { settingsEndpoints } from '../auth/access-links/settings-endpoints.ts'
import type { ProposalOutcome } from '../call/propose.ts'
import type { CallsOf } from '../endpoint.ts'
import type { webhookEndpoints } from '../webhooks/webhook-endpoints.ts'

type OperatorEndpoint =
  | (typeof groupEndpoints)[number]
  | (typeof linkEndpoints)[number]
  | (typeof lockEndpoints)[number]
  | (typeof memberEndpoints)[number]
  | (typeof participantEndpoints)[number]
  | (typeof settingsEndpoints)[number]
  | (typeof webhookEndpoints)[number]
type PageCalls = ToolCalls & CallsOf<OperatorEndpoint>

/** The name of an endpoint that pages can call. */
export type PageTool = keyof PageCalls

/** The JSON that an endpoint answers with. */
export type ToolAnswer<Name extends PageTool> = PageCalls[Name]['answer']

/** The arguments of a call. With `format: 'markdown'`, the answer is not JSON: see `readMarkdown`. */
export type ToolInput<Name extends PageTool> = AsJson<PageCalls[Name]['given']>

type AsJson<Given> = Given extends Record<string, never> ? Given : Given & { format?: 'json' | 'schema' }

/** An answer, and the proposal that the call became on links that may only propose. */
export type CallAnswer<Name extends PageTool> = ToolAnswer<Name> & { proposal?: ProposalOutcome }

/** The arguments, which can be left out if none is required. */
export type CallArguments<Name extends PageTool> =
  Record<never, never> extends ToolInput<Name> ? [input?: ToolInput<Name>] : [input: ToolInput<Name>]

/** A call that changed something. */
export type HistoryItem = ToolAnswer<'history_list'>['items'][number]
export type ProposalItem = ToolAnswer<'proposals_list'>['items'][number]
/** A waiting part of a proposal. */
export type ProposedPart = ToolAnswer<'proposals_parts'>['items'][number]
export type DocumentEntry = ToolAnswer<'documents_list'>['items'][number]
export type FolderEntry = ToolAnswer<'folders_list'>['items'][number]
/** Something that waits for a member. */
export type ForMeEntry = ToolAnswer<'for_me_list'>['items'][number]
export type ReminderEntry = ToolAnswer<'reminders_list'>['items'][number]
export type LinkEntry = ToolAnswer<'links_list'>['items'][number]
export type MemberEntry = ToolAnswer<'members_list'>['items'][number]
export type MemberGroup = ToolAnswer<'groups_list'>['items'][number]
export type WebhookEntry = ToolAnswer<'webhooks_list'>['items'][number]
export type PersonEntry = ToolAnswer<'participants_list'>['items'][number]
export type BoardContent = ToolAnswer<'elements_list'>
/** A schema in the format that `schema_update` accepts. */
export type CollectionSchema = Extract<ToolAnswer<'schema_get'>, { contentPropDetails: unknown }>
export type PropertyEntry = CollectionSchema['properties'][number]
export type PropertyType = PropertyEntry['type']
/** A property in the format of `schema_update`. */
export type PropertyInput = ToolInput<'schema_update'>['schema']['properties'][number]
export type ViewEntry = ToolAnswer<'views_list'>['views'][number]
export type ItemsAnswer = ToolAnswer<'items_list'>
export type ItemEntry = ItemsAnswer['items'][number]
export type GroupEntry = NonNullable<ItemsAnswer['groups']>[number]
