/** Members: people, agents and groups. */

/** Members in one answer of connection_get. */
export const MEMBERS_PER_ANSWER = 100
/** Characters of a handle, without the `@`. */
export const HANDLE_LENGTH = 30
/** Characters of the picture of a member: an emoji, or a few letters. */
export const PICTURE_CHARACTERS = 3
/** Members of one group. */
export const MEMBERS_PER_GROUP = 100
/** Members in one value of an item. */
export const MEMBERS_PER_VALUE = 100
