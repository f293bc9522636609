/** Proposals that wait for approval. */

/** What of one link may wait for approval: proposals, the blocks that they write, and the bytes of their files. */
export const WAITING_PROPOSALS = 50
export const WAITING_BLOCKS = 20_000
export const WAITING_FILE_BYTES = 100 * 1024 * 1024
/**
 * Characters of what one proposal would change, in words, and of the waiting proposals of one link together. A person
 * reads all of it before approving.
 */
export const PROPOSAL_LENGTH = 2_000_000
export const WAITING_LENGTH = 8_000_000
/** Bytes of the text files of one proposal whose text is shown with it. */
export const PROPOSED_TEXT_BYTES = 128 * 1024
/** Seconds for which a proposal waits, and for which it is listed once it is decided. */
export const PROPOSAL_SECONDS = 30 * 24 * 60 * 60
/** Characters of the response that is kept for a client that waits for the decision as a task of MCP. */
export const TASK_RESPONSE_LENGTH = 100_000
/** Seconds after which such a client should ask again. */
export const TASK_POLL_SECONDS = 10
/** Parts of one proposal that are decided one by one. What would be more is decided in larger parts. */
export const PARTS_PER_PROPOSAL = 50
/** Characters of the key of a part: an ID, with the key of a property for a value. */
export const PART_KEY_LENGTH = 500
/** Parts in one answer, and of one of them the blocks and the characters of each text. */
export const PARTS_PER_ANSWER = 200
export const PART_BLOCKS = 1_000
export const PART_TEXT_LENGTH = 20_000
/** Proposals in one answer of proposals_list. */
export const PROPOSALS_PER_ANSWER = 20
export const PROPOSALS_PER_ANSWER_MAX = 200
/** Characters of what somebody who decides on a proposal says. */
export const PROPOSAL_NOTE_LENGTH = 1_000
