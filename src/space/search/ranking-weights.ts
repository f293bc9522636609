/**
 * The weights of the ranking of documents by terms; {@link rankDocuments} says what a score is made of. They were chosen
 * on collections with judged answers: a weight that is doubled or halved changes which of two documents comes first.
 */
export const RANKING_WEIGHTS = {
  /** Of the number of blocks that have a term. */
  spread: 0.4,
  /** Of terms in the title; `fullTitle` is added in proportion to the share of the terms that the title has. */
  title: 0.7,
  fullTitle: 1.2,
  /** Of each further time that a question says a word. */
  repeat: 0.5,
  /** Of a part of a compound, such as `server` of `server-side`, beside the whole. */
  part: 0.4,
  /** Of a word that only begins with the term. */
  prefix: 0.6,
  /** BM25's k1: how soon further occurrences add little. */
  saturation: 1.2,
  /** BM25's b: how much a block loses by being longer than the average, which is in words. */
  length: 0.3,
  averageLength: 30,
  /** The boost of a document that was changed now, and the milliseconds after which half of it is left. */
  recency: 0.05,
  recencyHalfLife: 30 * 86_400_000,
}
