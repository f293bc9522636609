/** Collections, their properties, items and views. */

/** Properties of one collection, including those created by relations of other collections. */
export const PROPERTIES_PER_COLLECTION = 20
/** Options of one select property. */
export const OPTIONS_PER_PROPERTY = 500
/** Items in one answer of items_list: default over MCP, and maximum, which is the default over REST. */
export const ITEMS_PER_ANSWER = 100
export const ITEMS_PER_ANSWER_MAX = 20_000
/** Collections in one answer of collections_list: default over MCP, and maximum, which is the default over REST. */
export const COLLECTIONS_PER_ANSWER = 100
export const COLLECTIONS_PER_ANSWER_MAX = 20_000
/** The same for collections. */
export const COLLECTIONS_COUNTED = 1_000
/** Views of one collection. */
export const VIEWS_PER_COLLECTION = 100
/** Filters and sorts of one view or of one items query. Source: section 3 of the interface's shapes. */
export const FILTERS_PER_VIEW = 5
export const SORTS_PER_VIEW = 3
/** Characters of a currency, as in ISO 4217. */
export const CURRENCY_LENGTH = 3
/** Characters of the text of a filter, and blocks that a filter may name. */
export const FILTER_TEXT_LENGTH = 1_000
export const FILTER_VALUES = 100
/** Groups in one answer of items_list. */
export const GROUPS_PER_ANSWER = 1_000
