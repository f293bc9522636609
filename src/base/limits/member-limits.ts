/** Members: people, agents and groups. */

/** Members in one answer of connection_get. */
export const MEMBERS_PER_ANSWER = 100
/** Characters of a handle, without the `@`. */
export const HANDLE_LENGTH = 30
/** Characters of the picture of a member: an emoji, or a few letters. */
export const PICTURE_CHARACTERS = 3
/** Code units of such a picture, since an emoji may consist of many. */
export const PICTURE_LENGTH = 40
/** Members of one group. */
export const MEMBERS_PER_GROUP = 100
/** Members in one value of an item. */
export const MEMBERS_PER_VALUE = 100
/** Things that wait for a member in one answer of connection_get. */
export const FOR_ME_PER_CONNECTION = 20
/** Things that wait for a member in one answer of GET /for-me. */
export const FOR_ME_PER_ANSWER = 200
/** Things of each kind that are looked for at most: tasks, comments, texts, proposals and claims. */
export const FOR_ME_PER_KIND = 200
/** Characters of the text of each. */
export const FOR_ME_TEXT = 200
/** Seconds for which an agent counts as working after a call. */
export const ACTIVE_SECONDS = 60
/** Links whose last calls a server remembers per space, and documents of each in the last minute. */
export const ACTIVE_LINKS = 1_000
export const DOCUMENTS_PER_LINK = 100
/** Open comments that are looked through for questions, and leases that ended, to show who waits and who is gone. */
export const QUESTIONS_READ = 200
/** Seconds for which an agent that let a lease end counts as gone. */
export const GONE_SECONDS = 7 * 24 * 60 * 60
/** Tasks, values and claims of somebody who is removed that are given to another member at once, of each kind. */
export const OPEN_WORK = 1_000
