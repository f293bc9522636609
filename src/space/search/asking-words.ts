/**
 * English words that a question has beside what it is about. They may say where an answer is, but rarely do, so they weigh
 * less than others. Stop words, which say nothing at all, are ignored.
 */
import { stem } from './stem.ts'

/** What to do with the answer, how much of it is wanted, and where it was said. */
const ASKING_WORDS = `answer ask asked briefly brought bring chat chats chronological clarify compare comprehensive
  concise conversation conversations describe description detail detailed details different discuss discussed discussion
  discussions entire everything exactly explain explanation find following full give given happen happened help history
  include included including know known let list listed look main mention mentioned mentions message messages need note
  order ordered overall overview please previous previously provide provided question questions recall recap recommend
  regarding related relevant remember remind said say sequence several share shared show specific specifically suggest
  suggestion suggestions summarize summarise summary talk talked tell thing things think thorough thoroughly throughout
  told topic topics understand various walk want wanted way ways`

/** Words of grammar that are not stop words because a title may consist of them. */
const FUNCTION_WORDS = `across along although among anyone anything around away else ever every everyone except instead
  many may maybe might much must neither nobody none nothing often one others per perhaps quite rather really shall since
  someone something sometimes somewhere still though till toward towards unless unlike upon via whatever whenever whether
  within without yet`

const WORDS: ReadonlySet<string> = new Set(`${ASKING_WORDS} ${FUNCTION_WORDS}`.split(/\s+/).map(stem))

/** True for a form of one of these words. @param word  in lower case */
export const isAskingWord = (word: string): boolean => WORDS.has(stem(word))
