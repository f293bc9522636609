/** Whiteboards, and how they are drawn. */

/** Elements of a whiteboard in one call. Source: the interface, Limits. */
export const ELEMENTS_PER_CALL = 500
/** Characters of an element's ID and of its type. */
export const ELEMENT_ID_LENGTH = 200
/** Lines and characters of the text description of a whiteboard. */
export const WHITEBOARD_DESCRIPTION_LINES = 100
export const WHITEBOARD_DESCRIPTION_LENGTH = 4_000
/** Elements that are read for a description, per whiteboard and per answer, and characters of their JSON. */
export const WHITEBOARD_DESCRIPTION_ELEMENTS = 2_000
export const WHITEBOARD_DESCRIPTION_ELEMENTS_PER_ANSWER = 10_000
export const WHITEBOARD_DESCRIPTION_JSON_LENGTH = 4_000_000
/** Images in one answer: rendered whiteboards and image blocks. */
export const IMAGES_PER_ANSWER = 5
/** Width and height of a rendered whiteboard in pixels, and seconds that rendering one may take. */
export const RENDER_WIDTH = 1_200
export const RENDER_HEIGHT = 1_800
export const RENDER_SECONDS = 10
/**
 * Elements of a whiteboard that are rendered, characters of their JSON and of their assets' JSON, and characters of
 * their SVG paths.
 */
export const RENDER_ELEMENTS = 5_000
export const RENDER_JSON_LENGTH = 20_000_000
export const RENDER_PATH_LENGTH = 20_000_000
/** Characters of a whiteboard that are drawn as outlines, each of about a thousand characters, so that they need no font. */
export const RENDER_OUTLINED_LENGTH = 20_000
/** Total pixels of the images on a whiteboard. */
export const RENDER_PIXELS = 40_000_000
